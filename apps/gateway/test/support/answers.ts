import { problemCodes, type ProblemCode } from "@gateway/contract";
import { expect } from "vitest";
import type { Answer } from "./http-client.ts";

type Field = string | readonly [field: string, issue: unknown];

/**
 * What an answer matches that refuses with a code, and so with its status; of `fields` each is named by a detail, in
 * their order.
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

/** What an answer matches that has a status of success, and data. */
export function answered(status: number, data: unknown): object {
  return { status, json: { data } };
}

/** The `data` of an answer with the status that was expected. */
export function dataOf<Data>(answer: Answer, status = 200): Data {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  // The gateway has held the answer against the document, for it is in the sandbox.
  return (answer.json as { data: Data }).data;
}

export function codeOf({ json }: Answer): string | undefined {
  return (json as { error?: { code: string } }).error?.code;
}

/** How many answers there are of each code, and of success. */
export function countCodes(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const code = codeOf(answer) ?? String(answer.status);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

/** All of an answer but what differs between any two. */
export function comparable({ status, headers, text }: Answer): object {
  const { "x-request-id": requestId = "", ...rest } = headers;
  const counted = ["x-ratelimit-remaining", "x-ratelimit-reset", "date"];
  const alike = Object.entries(rest).filter(([name]) => !counted.includes(name));
  return { status, headers: Object.fromEntries(alike), text: requestId === "" ? text : text.replace(requestId, "") };
}

/** As often at once. */
export function atOnce<Result>(count: number, run: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => run(index)));
}
