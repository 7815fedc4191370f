/** The effective settings as text: for a file that Compose gives to the containers. */

/**
 * One NAME='value' a line, sorted. Within single quotes Compose v2 and docker-compose 1.29 take every character as it
 * is, but for the quote itself and what ends a line; a knob's value has neither.
 */
export function envFileOf(env: Readonly<Record<string, string>>): string {
  const lines = Object.entries(env)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => {
      if (/['\n\r\\$]/.test(value)) {
        throw new Error(
          `${name}=${JSON.stringify(value)}: a value that goes into a container may not have a quote, "$", "\\" or a line end. Leave it out.`,
        );
      }
      return `${name}='${value}'`;
    });
  return `${lines.join("\n")}\n`;
}
