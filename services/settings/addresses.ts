/**
 * Addresses as settings: what UPSTREAM_URL, BUDGET_STORE_URL and CHAIN hold. Each check returns what is wrong; none =
 * valid.
 */
import { isTierName, repeated } from "./tiers.ts";

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Every run writes its settings into its report, so a password has no place in them. */
function secretProblems(text: string): string[] {
  const { username, password, search, hash } = new URL(text);
  return [
    ...(username + password === "" ? [] : ["it holds a user or a password, which every report would show"]),
    ...(search + hash === "" ? [] : ['it has something behind "?" or "#", which every report would show']),
  ];
}

/** A text that may hold addresses, as messages may show it: without user, password and query. */
export function withoutSecrets(text: string): string {
  return text.replace(/:\/\/[^/\s,]*@/g, "://…@").replace(/(:\/\/[^\s,?#]*)[?#][^\s,]*/g, "$1?…");
}

/**
 * What should be an address, or several, as messages and logs may show it: a password may hold any character and a
 * scheme may be missing, so nothing before the last "@" is shown but the first scheme.
 */
export function addressShown(text: string): string {
  const host = text.replace(/^((?:[\w-]+=)?[a-z][a-z+.-]*:\/\/)?.*@/is, "$1…@");
  return host.replace(/[?#][^\s,]*/g, "?…");
}

/** The addresses of a tier's instances, with commas between; empty text is none. */
export function instanceUrls(text: string): string[] {
  return text === "" ? [] : text.split(",").map((url) => url.trim());
}

export function urlProblems(text: string): readonly string[] {
  const urls = instanceUrls(text);
  return urls.every(isHttpUrl) ? [...new Set(urls.flatMap(secretProblems))] : ["it is none"];
}

/** A store's address names a host, and at most one of its numbered databases. */
export function storeProblems(text: string): readonly string[] {
  if (text === "") return [];
  if (!URL.canParse(text) || !/^rediss?:$/.test(new URL(text).protocol)) return ["it is none"];
  const { hostname, pathname } = new URL(text);
  return [
    ...(hostname === "" ? ["it names no host"] : []),
    ...(/^\/?\d{0,4}$/.test(pathname) ? [] : ["what stands behind the host must be the number of a database"]),
    ...secretProblems(text),
  ];
}

export interface TierAddress {
  readonly name: string;
  readonly url: string;
}

/** The tiers in `edge=http://…,api=http://…,backend=http://…`; a tier of several instances stands once for each. */
export function tierAddresses(text: string): TierAddress[] {
  if (text === "") return [];
  return text.split(",").map((part) => {
    const at = part.indexOf("=");
    return { name: part.slice(0, Math.max(0, at)).trim(), url: part.slice(at + 1).trim() };
  });
}

export function chainProblems(text: string): readonly string[] {
  const tiers = tierAddresses(text);
  const problems: string[] = [];
  // A password may hold a comma or "=", and then its rest stands where a name or an address is looked for.
  const isOpen = !/[@?#]/.test(text);
  for (const { name, url } of tiers) {
    const named = isOpen ? name : "…";
    if (!isTierName(name)) problems.push(`"${named}" is not the name of a tier`);
    if (isHttpUrl(url)) problems.push(...secretProblems(url).map((problem) => `"${named}": ${problem}`));
    else problems.push(`"${isOpen ? url : "…"}" is not an address`);
  }
  const names = tiers.map(({ name }) => name);
  if (!isOpen) return problems;
  for (const name of repeated(names)) {
    const isTogether = names.lastIndexOf(name) - names.indexOf(name) === names.filter((n) => n === name).length - 1;
    if (!isTogether) problems.push(`"${name}" stands twice, with others in between`);
    else if (name === names[0] || name === names.at(-1))
      problems.push(`"${name}" stands twice, and an end of the chain has one instance`);
  }
  return problems;
}
