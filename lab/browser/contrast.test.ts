import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { contrast } from "./contrast.ts";

const style = readFileSync(fileURLToPath(new URL("../report/pages/style.css", import.meta.url)), "utf8");

/** The colours of each theme in the style sheet: light, dark (over light), print (over light). */
function themes(): Record<string, Map<string, string>> {
  const blocks = [...style.matchAll(/:root \{(.*?)\}/gsu)].map(([, body = ""]) =>
    [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/gu)].map(([, name = "", color = ""]) => [name, color] as const),
  );
  const [light = [], dark = [], print = []] = blocks;
  return { light: new Map(light), dark: new Map([...light, ...dark]), print: new Map([...light, ...print]) };
}

const TEXT = [
  "ink",
  "quiet",
  "link",
  "valid",
  "invalid",
  "calls",
  "good",
  "offered",
  "s1",
  "s2",
  "s3",
  "s4",
  "s5",
  "s6",
  "s7",
  "s8",
];

test("Contrast is that of the standard's own examples", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#777777"), 1);
  assert.equal(contrast("#767676", "#ffffff").toFixed(2), "4.54");
});

for (const [theme, colors] of Object.entries(themes())) {
  test(`Text and lines reach 4.5:1 on both papers of the ${theme} theme`, () => {
    const low = TEXT.flatMap((name) =>
      ["paper", "raised"].flatMap((paper) => {
        const ratio = contrast(colors.get(name) ?? "", colors.get(paper) ?? "");
        return ratio >= 4.5 ? [] : [`${name} on ${paper}: ${ratio.toFixed(2)}`];
      }),
    );
    assert.deepEqual(low, []);
  });

  test(`Numbers in the cells of a map reach 4.5:1 in the ${theme} theme`, () => {
    const ratios = [0, 1, 2, 3, 4, 5].map((step) =>
      contrast(colors.get(`m${step}`) ?? "", colors.get(`m${step}-ink`) ?? ""),
    );
    assert.ok(Math.min(...ratios) >= 4.5, ratios.join(" "));
  });
}
