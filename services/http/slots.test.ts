import assert from "node:assert/strict";
import { test } from "node:test";
import { LONGEST_WAIT_LIST, Slots } from "./slots.ts";

/** Enters `slots` under each name; `ran` notes who got a slot, in order. */
function enter(slots: Slots, ran: string[], ...names: string[]) {
  return names.map((name) => slots.enter(() => ran.push(name)));
}

test("As many run as there are slots, and the others have their turn in order", () => {
  const slots = new Slots(2);
  const ran: string[] = [];
  enter(slots, ran, "a", "b", "c", "d");
  assert.deepEqual([ran.join(""), slots.waiting], ["ab", 2]);
  slots.release();
  assert.equal(ran.join(""), "abc");
  slots.release();
  slots.release();
  assert.deepEqual([ran.join(""), slots.waiting], ["abcd", 0]);
});

test("Whoever leaves the line is passed over, and leaving twice or too late does nothing", () => {
  const slots = new Slots(1);
  const ran: string[] = [];
  const [leaveA, leaveB] = enter(slots, ran, "a", "b", "c");
  leaveB?.();
  leaveB?.();
  leaveA?.();
  slots.release();
  assert.equal(ran.join(""), "ac");
  slots.release();
  enter(slots, ran, "d", "e");
  assert.equal(ran.join(""), "acd");
});

test("The line has an end: beyond it nobody is taken", () => {
  const slots = new Slots(1);
  const ran: string[] = [];
  for (let i = 0; i <= LONGEST_WAIT_LIST; i += 1)
    assert.notEqual(
      slots.enter(() => ran.push("x")),
      undefined,
    );
  assert.equal(
    slots.enter(() => ran.push("late")),
    undefined,
  );
  for (let i = 0; i <= LONGEST_WAIT_LIST; i += 1) slots.release();
  assert.equal(ran.length, LONGEST_WAIT_LIST + 1);
  assert.ok(!ran.includes("late"));
});
