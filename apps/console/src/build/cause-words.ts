/** The facts of external systems, in words for a person who does not know these systems. */
const facts: Readonly<Record<string, string>> = {
  "chain.confirmed": "its network has confirmed it",
  "chain.dropped": "its network drops it",
  "chain.refused": "its network refuses it",
  "chain.seen": "its network has seen it",
  "chain.submitted": "its network has it",
  "kycEngine.failed": "the checks fail",
  "kycEngine.passed": "the checks pass",
  "kycEngine.unclear": "the checks leave a doubt",
  "rail.refused": "the bank refuses it",
  "rail.settled": "the bank says that it has arrived",
  "transfer.canceled": "its transfer is canceled",
  "venue.accepted": "the venue accepts it",
  "venue.canceled": "the venue cancels it",
  "venue.expired": "its time at the venue is over",
  "venue.filled": "the venue fills it",
  "venue.rejected": "the venue rejects it",
  "venue.replaced": "the venue replaces it",
};

const units: Readonly<Record<string, string>> = { D: "day", H: "hour", M: "minute", S: "second" };

type Cause = {
  by?: readonly string[] | undefined;
  on?: readonly string[] | undefined;
  after?: string | undefined;
};

/** The cause of a transition in words: `with “Approve”`, `after 24 hours`. Throws for a fact that has no words yet. */
export function causeInWords({ by = [], on = [], after }: Cause, summaryOf: (operationId: string) => string): string {
  return [
    ...by.map((operationId) => `with “${summaryOf(operationId)}”`),
    ...on.map((fact) => `when ${factInWords(fact)}`),
    ...(after === undefined ? [] : [`after ${durationInWords(after)}`]),
  ].join(", or ");
}

function factInWords(fact: string): string {
  const words = facts[fact];
  if (words === undefined) {
    throw new Error(`The console has no words for ${fact}. Write them in apps/console/src/build/cause-words.ts.`);
  }
  return words;
}

/** A duration of one unit, as in the document: `PT24H`, `P90D`. */
function durationInWords(duration: string): string {
  const [, count = "", unit = ""] = /^PT?(\d+)([DHMS])$/.exec(duration) ?? [];
  const noun = units[unit];
  if (noun === undefined || (unit === "M" && !duration.startsWith("PT"))) {
    throw new Error(`The console has no words for ${duration}.`);
  }
  return `${count} ${noun}${count === "1" ? "" : "s"}`;
}
