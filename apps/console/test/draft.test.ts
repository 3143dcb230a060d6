import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetDraft, keepDraft, readDraft } from "../browser/data/draft.ts";

const place = { personId: "per_01", title: "Approve" };
const values = { comment: "Asked them" };
const tenMinutesMs = 10 * 60_000;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.useFakeTimers();
  vi.stubGlobal("location", { pathname: "/inbox", search: "?do=approve" });
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  });
  keepDraft(place, values);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what was typed is there for ten minutes, and no longer", () => {
  vi.advanceTimersByTime(tenMinutesMs - 1);
  expect(readDraft(place)).toEqual(values);
  vi.advanceTimersByTime(1);
  expect(readDraft(place)).toBeNull();
});

test.each([
  ["somebody else, or the same one in another account", { ...place, personId: "per_02" }, "?do=approve"],
  ["another dialog", { ...place, title: "Reject" }, "?do=approve"],
  ["another address", place, "?do=approve&open=apr_01"],
])("it is nothing for %s", (_name, other, search) => {
  vi.stubGlobal("location", { pathname: "/inbox", search });
  expect(readDraft(other)).toBeNull();
});

test("it is gone when a dialog has read it", () => {
  forgetDraft();
  expect(readDraft(place)).toBeNull();
});
