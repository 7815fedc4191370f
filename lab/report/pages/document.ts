/**
 * The shell of every page: one file that asks the network for nothing. The content security policy makes that a rule
 * of the browser: only this very script may run, and nothing may be fetched.
 */
import { createHash } from "node:crypto";
import type { Assets } from "./assets.ts";
import { markup, jsonMarkup, Markup, type Part } from "./markup.ts";

export interface PageParts {
  readonly title: string;
  readonly header: Part;
  readonly main: Part;
  readonly footer: Part;
  /** For the page's script. */
  readonly data: unknown;
  /** Where the script may connect to, in the words of a content security policy; nowhere by default. */
  readonly connect?: "'self'";
}

/** Hatching marks what did not succeed, so that no meaning rests on a hue alone. */
const HATCH = markup`<svg width="0" height="0" style="position: absolute" aria-hidden="true" focusable="false">
  <defs>
    <pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="8" height="8" fill="var(--paper)"></rect>
      <rect width="4" height="8" fill="var(--calls)"></rect>
    </pattern>
  </defs>
</svg>`;

/** `text` must not hold what would end its element: our own script and style do not. */
function raw(text: string): Markup {
  if (/<\/(script|style)/iu.test(text)) throw new Error("a script or style sheet may not hold its own end tag");
  return new Markup(text);
}

export function document(parts: PageParts, { script, style }: Assets): string {
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    `connect-src ${parts.connect ?? "'none'"}`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${parts.title}</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the results</a>
${HATCH}
<header>${parts.header}</header>
<main id="content" tabindex="-1">${parts.main}</main>
<footer>${parts.footer}</footer>
<script type="application/json" id="data">${jsonMarkup(parts.data)}</script>
<script>${raw(script)}</script>
</body>
</html>
`.text;
}
