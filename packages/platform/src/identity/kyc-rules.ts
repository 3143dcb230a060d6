import { invalidField } from "@gateway/contract";
import type { KycDocument, KycFact, KycSubject } from "@gateway/ports";
import type { KycCheck, KycRejectionCode } from "./tables.ts";

const adultYears = 18;

export type FirstLook = { checks: KycCheck[]; rejectionCode: KycRejectionCode | null };

/** The rules that need no engine. A day begins and ends in UTC. A document is valid on its last day. */
export function lookFirst(
  { subject, documents }: { subject: KycSubject; documents: readonly KycDocument[] },
  nowMs: number,
): FirstLook {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  refuseNoDays({ subject, documents }, today);
  // Days are compared as text, so that a person born on February 29 is of age on March 1.
  const isUnderage = yearsLater(subject.birthDate, adultYears) > today;
  const isExpired = documents.some(({ expiresOn }) => expiresOn < today);
  return {
    checks: [
      { name: "age", ...(isUnderage ? failed("underage") : { result: "passed", code: null }) },
      { name: "document", ...(isExpired ? failed("document_expired") : waiting) },
      { name: "watchlist", ...waiting },
    ],
    rejectionCode: isUnderage ? "underage" : isExpired ? "document_expired" : null,
  };
}

const waiting = { result: "waiting", code: null } as const;

function failed(code: KycRejectionCode): Pick<KycCheck, "result" | "code"> {
  return { result: "failed", code };
}

function yearsLater(day: string, years: number): string {
  return `${String(Number(day.slice(0, 4)) + years).padStart(4, "0")}${day.slice(4)}`;
}

function refuseNoDays(
  { subject, documents }: { subject: KycSubject; documents: readonly KycDocument[] },
  today: string,
): void {
  const days = [
    ["subject.birthDate", subject.birthDate],
    ...documents.map(({ expiresOn }, index) => [`documents.${index}.expiresOn`, expiresOn] as const),
  ] as const;
  for (const [field, day] of days) {
    if (!isDay(day)) {
      throw invalidField(field, "must be an existing calendar date");
    }
  }
  if (subject.birthDate > today) {
    throw invalidField("subject.birthDate", "must not lie in the future");
  }
}

/** February 30 does not exist. */
function isDay(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** Codes that the engine may report. It neither reviews nor lets anything expire. */
const engineCodes: readonly string[] = [
  "underage",
  "document_expired",
  "document_refused",
  "watchlist_match",
] satisfies KycRejectionCode[];

const engineChecks: readonly string[] = ["document", "watchlist"];

/** The checks after a fact, or null when the engine reports something that it must not. */
export function checksAfter(checks: readonly KycCheck[], fact: KycFact): KycCheck[] | null {
  const told = toldBy(fact);
  if (!told?.every((one) => isTold(one))) {
    return null;
  }
  return checks.map((one) => {
    const found = told.find(({ check }) => check === one.name);
    // `isTold` has compared the code with `engineCodes`.
    return found ? { ...one, result: found.result, code: found.code as KycRejectionCode | null } : one;
  });
}

type Told = { check: string; result: KycCheck["result"]; code: string | null };

function isTold({ check, result, code }: Told): boolean {
  return engineChecks.includes(check) && (result === "passed" || (code !== null && engineCodes.includes(code)));
}

/** An external system sends the fact: whatever it holds, it must not throw. */
function toldBy(fact: KycFact): Told[] | null {
  switch (fact.type) {
    case "passed":
      return engineChecks.map((check) => ({ check, result: "passed", code: null }));
    case "failed":
      return [{ check: fact.check, result: "failed", code: fact.code }];
    case "unclear":
      return Array.isArray(fact.checks)
        ? // oxlint-disable-next-line typescript/no-unnecessary-condition -- not all that comes from outside is of its type
          fact.checks.map((one) => ({ check: one?.check, result: "unclear", code: one?.code ?? null }))
        : null;
    default:
      return null;
  }
}

/** The same text for each code, so that it reveals no more about a person than the code does. */
export const rejectionReasons: Readonly<Record<KycRejectionCode, string>> = {
  underage: "The person is younger than 18.",
  document_expired: "A document has expired.",
  document_refused: "A document could not be read, is not genuine, or is another person's.",
  watchlist_match: "The person is on a list of people with whom business is prohibited.",
  reviewer_decision: "Somebody decided so after a review.",
  expired: "The review was not decided within 90 days.",
};
