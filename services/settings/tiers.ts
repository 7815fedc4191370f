/** The hops of the chain by their names: the setting TIERS. */

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

/** The names that stand more than once, each once. */
export function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
}

/** What is wrong with TIERS, fault by fault; none = valid. */
export function tiersProblems(text: string): readonly string[] {
  if (text.trim() === "") return ["it is empty"];
  const names = tierList(text);
  const problems = names
    .filter((name) => !isTierName(name))
    .map((name) => `"${name}" is not a small letter followed by at most 30 small letters or digits`);
  for (const name of names) if (TAKEN.has(name)) problems.push(`"${name}" is the name of an end of the chain`);
  for (const name of repeated(names)) problems.push(`"${name}" stands twice`);
  if (names.length > MOST_TIERS) problems.push(`${names.length} names are too many`);
  return problems;
}
