/** A headless Chromium, as it is installed on this machine, for tests and screenshots. */
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser's path, or undefined where none of the usual places holds one. */
export function chromiumPath(places: readonly string[] = PLACES): string | undefined {
  return places.find((path) => existsSync(path));
}

/**
 * Starts it. Who starts it closes it.
 * @throws Error where no browser is installed; the message says where it was looked for
 */
export async function openChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error(`no Chromium at ${PLACES.join(", ")}: install one of them`);
  // Root in a container has no sandbox; the pages are our own.
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
