import { operationRule } from "./rule.ts";

/** A shorter time is too short to read a decision, and a longer one is not a fresh sign-in. */
const fewestSeconds = 60;
const mostSeconds = 86_400;

/**
 * Operations for people alone are marked in one way, and only they may require a fresh sign-in: a key never signed in.
 */
export const personOnly = operationRule((operation, context) => {
  const { "x-person": person, "x-fresh-sign-in": seconds } = operation;
  const report = (name: string, message: string): void =>
    context.report({ message, location: context.location.child([name]) });
  if (person !== undefined && person !== "required") {
    report("x-person", "x-person must be `required`, or absent.");
  }
  if (seconds !== undefined && !isAge(seconds)) {
    report(
      "x-fresh-sign-in",
      `x-fresh-sign-in must be a whole number of seconds from ${fewestSeconds} to ${mostSeconds}.`,
    );
  }
  if (seconds !== undefined && person === undefined) {
    report("x-fresh-sign-in", "x-fresh-sign-in needs x-person: only a person signs in.");
  }
});

function isAge(seconds: unknown): boolean {
  return Number.isInteger(seconds) && Number(seconds) >= fewestSeconds && Number(seconds) <= mostSeconds;
}
