import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { jsonMarkup, markup, Markup } from "./markup.ts";

test("Text put into a template is escaped, markup is not, and lists are joined", () => {
  const bold = markup`<b>${'<i>&"'}</b>`;
  assert.equal(bold.text, "<b>&lt;i&gt;&amp;&quot;</b>");
  assert.equal(markup`<p title="${"it's"}">${[bold, " ", 3]}</p>`.text, `<p title="it&#39;s">${bold.text} 3</p>`);
});

test("No text can open an element or leave an attribute", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("<", ">", '"', "'", "&", "a", "/") }), (text) => {
      assert.doesNotMatch(markup`${text}`.text, /[<>"']/u);
    }),
  );
});

test("JSON in a page cannot end its script, and is read back as it was", () => {
  const data = { label: "</script><script>alert(1)</script><!--" };
  const { text } = jsonMarkup(data);
  assert.doesNotMatch(text, /</u);
  assert.deepEqual(JSON.parse(text), data);
});

test("Markup inside markup is taken as it is", () => {
  assert.equal(markup`${new Markup("<br>")}`.text, "<br>");
});
