import { Problem } from "@gateway/contract";
import { expect, test } from "vitest";
import type { KycFact } from "@gateway/ports";
import { checksAfter, lookFirst } from "../../src/identity/kyc-rules.ts";

const noon = Date.parse("2026-03-01T12:00:00Z");

function look(birthDate: string, expiries: readonly string[], nowMs = noon) {
  const subject = { givenName: "A", familyName: "B", birthDate, country: "DE", address: "C" };
  const documents = expiries.map((expiresOn) => ({ type: "passport", country: "DE", number: "1", expiresOn }) as const);
  return lookFirst({ subject, documents }, nowMs);
}

test.each([
  ["2008-03-01", ["2030-01-01"], null, "on the day of the 18th birthday"],
  ["2008-03-02", ["2030-01-01"], "underage", "on the day before"],
  ["2026-03-01", ["2030-01-01"], "underage", "born today"],
  ["0001-01-01", ["9999-12-31"], null, "at the ends of the calendar"],
  ["1990-12-31", ["2026-03-01"], null, "on the last day of the document"],
  ["1990-12-31", ["2026-02-28"], "document_expired", "on the day after"],
  ["1990-12-31", ["2030-01-01", "2026-02-28"], "document_expired", "one of two has expired"],
  ["2020-01-01", ["2000-01-01"], "underage", "both"],
] as const)("%s with %s: %s (%s)", (birthDate, expiries, code, _when) => {
  expect(look(birthDate, expiries).rejectionCode).toBe(code);
});

test("who was born on a 29th of February is of age on the 1st of March, at UTC's midnight", () => {
  const midnight = Date.parse("2026-03-01T00:00:00Z");
  expect(look("2008-02-29", ["2030-01-01"], midnight - 1).rejectionCode).toBe("underage");
  expect(look("2008-02-29", ["2030-01-01"], midnight).rejectionCode).toBeNull();
});

test.each([
  ["2001-02-29", ["2030-01-01"], "subject.birthDate must be an existing calendar date"],
  ["1990-13-01", ["2030-01-01"], "subject.birthDate must be an existing calendar date"],
  ["2026-03-02", ["2030-01-01"], "subject.birthDate must not lie in the future"],
  ["1990-12-31", ["2030-01-01", "2030-04-31"], "documents.1.expiresOn must be an existing calendar date"],
] as const)("%s with %s is refused, without the day in the message", (birthDate, expiries, message) => {
  const refused = () => look(birthDate, expiries);
  expect(refused).toThrow(Problem);
  expect(refused).toThrow(message);
  expect(refused).not.toThrow(birthDate);
});

const { checks } = look("1990-12-31", ["2030-01-01"]);

test.each([
  [{ type: "passed" }, ["passed", "passed", "passed"]],
  [{ type: "failed", check: "watchlist", code: "watchlist_match" }, ["passed", "waiting", "failed"]],
  [{ type: "unclear", checks: [{ check: "document", code: "document_refused" }] }, ["passed", "unclear", "waiting"]],
])("%j", (fact, results) => {
  expect(checksAfter(checks, { verificationId: "kyc_1", ...fact } as KycFact)?.map(({ result }) => result)).toEqual(
    results,
  );
});

test.each([
  [{ type: "maybe" }],
  [{}],
  [{ type: "failed" }],
  [{ type: "failed", check: "document", code: "expired" }],
  [{ type: "failed", check: "document", code: "Grace Hopper" }],
  [{ type: "failed", check: "age", code: "underage" }],
  [{ type: "failed", check: "document", code: 7 }],
  [{ type: "failed", check: "document", code: null }],
  [{ type: "unclear" }],
  [{ type: "unclear", checks: [{ check: "mood", code: "document_refused" }] }],
  [{ type: "unclear", checks: [null] }],
])("%j is nothing that the engine may tell", (fact) => {
  expect(checksAfter(checks, fact as unknown as KycFact)).toBeNull();
});
