import { problemCodes, type ProblemCode } from "@gateway/contract";
import { expect } from "vitest";
import type { Answer } from "./http-client.ts";

type Field = string | readonly [field: string, issue: unknown];

/**
 * Matches a response that refuses with a code, and so with its status. Each of `fields` is named by a detail, in their
 * order.
 */
export function refused(code: ProblemCode, ...fields: readonly Field[]): object {
  const details = fields.map((one) => {
    const [field, issue] = typeof one === "string" ? [one, expect.any(String)] : one;
    return { field, issue };
  });
  return { status: problemCodes[code].status, json: { error: { code, ...(fields.length > 0 && { details }) } } };
}

export function invalid(...fields: readonly Field[]): object {
  return refused("INVALID_REQUEST", ...fields);
}

/** Matches a response with a status of success, and data. */
export function answered(status: number, data: unknown): object {
  return { status, json: { data } };
}

/** The `data` of a response with the expected status. */
export function dataOf<Data>(answer: Answer, status = 200): Data {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  // A gateway in the sandbox has checked the response against the document.
  return (answer.json as { data: Data }).data;
}

export function codeOf({ json }: Answer): string | undefined {
  return (json as { error?: { code: string } }).error?.code;
}

/** Number of responses by code, and of successes by status. */
export function countCodes(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const code = codeOf(answer) ?? String(answer.status);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

/** A response without the parts that differ between any two. */
export function comparable({ status, headers, text }: Answer): object {
  const { "x-request-id": requestId = "", ...rest } = headers;
  const counted = ["x-ratelimit-remaining", "x-ratelimit-reset", "date"];
  const alike = Object.entries(rest).filter(([name]) => !counted.includes(name));
  return { status, headers: Object.fromEntries(alike), text: requestId === "" ? text : text.replace(requestId, "") };
}

/** Runs it `count` times at once. */
export function atOnce<Result>(count: number, run: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => run(index)));
}
