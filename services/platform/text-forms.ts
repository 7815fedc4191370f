/** The forms of those settings that are texts. Each check returns what is wrong, fault by fault; none = valid. */

/** A name that is safe as a part of a path. */
export function plainName(text: string): readonly string[] {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text) ? [] : [text === "" ? "it is empty" : "it is none"];
}

const MOST_TIERS = 6;
const TIER = /^[a-z][a-z0-9]{0,30}$/;
/** The two ends of the chain have their names already. */
const TAKEN = new Set(["load", "backend"]);

export function isTierName(name: string): boolean {
  return TIER.test(name);
}

/** The hops' names in a comma list, from the client's side down. */
export function tierList(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
}

export function tiersProblems(text: string): readonly string[] {
  if (text.trim() === "") return ["it is empty"];
  const names = tierList(text);
  const problems = names
    .filter((name) => !isTierName(name))
    .map((name) => `"${name}" is not a small letter followed by at most 30 small letters or digits`);
  for (const name of names)
    if (TAKEN.has(name)) problems.push(`"${name}" is the name of an end of the chain`);
  for (const name of repeated(names)) problems.push(`"${name}" stands twice`);
  if (names.length > MOST_TIERS) problems.push(`${names.length} names are too many`);
  return problems;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

export function urlProblems(text: string): readonly string[] {
  return text === "" || isHttpUrl(text) ? [] : ["it is none"];
}

export interface TierAddress {
  readonly name: string;
  readonly url: string;
}

/** The tiers in `edge=http://…,api=http://…,backend=http://…`; empty text is no tiers. */
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
  for (const { name, url } of tiers) {
    if (!isTierName(name)) problems.push(`"${name}" is not the name of a tier`);
    if (!isHttpUrl(url)) problems.push(`"${url}" is not an address`);
  }
  for (const name of repeated(tiers.map(({ name }) => name))) problems.push(`"${name}" stands twice`);
  return problems;
}
