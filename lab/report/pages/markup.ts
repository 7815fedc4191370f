/**
 * HTML as text that cannot be broken out of: whatever is put into a template is escaped, unless it is markup itself.
 * Policy names and values of the environment are the user's own words.
 */

export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Safe in an element's content and in a quoted attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? character);
}

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return part.map(textOf).join("");
}

/** A tag for template literals. Lists are joined without anything between. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, string, i) => text + textOf(parts[i - 1] ?? "") + string));
}

export const NOTHING = new Markup("");

/** Data for a script of the page: JSON in which no `</script>` or comment can begin. */
export function jsonMarkup(data: unknown): Markup {
  return new Markup(JSON.stringify(data).replace(/</gu, "\\u003c"));
}
