import { expect } from "vitest";
import type { Answer, Ask } from "./http-client.ts";

/** What every answer of the gateway has, whatever happened: the envelope, the request id, the state of the limit, no HTML. */
export function expectOurAnswer(answer: Answer, { method = "GET" }: Pick<Ask, "method">): void {
  expect(answer.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": expect.stringMatching(/^req_[0-9a-z]{26}$/),
    "x-ratelimit-limit": expect.stringMatching(/^\d+$/),
    "x-ratelimit-remaining": expect.stringMatching(/^\d+$/),
    "x-ratelimit-reset": expect.stringMatching(/^\d{10}$/),
  });
  expect(answer.headers).not.toHaveProperty("x-powered-by");
  expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  if (method !== "HEAD") {
    expectEnvelope(answer);
  }
}

function expectEnvelope(answer: Answer): void {
  const requestId =
    answer.headers["idempotency-replayed"] === "true" ? expect.any(String) : answer.headers["x-request-id"];
  if (answer.status < 400) {
    expect(Object.keys(answer.json as object).toSorted()).toEqual(["data", "meta"]);
    expect(answer.json).toMatchObject({
      meta: { requestId, timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
    });
    return;
  }
  expect(Object.keys(answer.json as object).toSorted()).toEqual(["error", "meta"]);
  expect(answer.json).toEqual({
    error: expect.objectContaining({ code: expect.stringMatching(/^[A-Z_]+$/), message: expect.stringMatching(/\S/) }),
    meta: { requestId },
  });
  expect(answer.headers["www-authenticate"] !== undefined).toBe(answer.status === 401);
  if (answer.status === 429 || answer.status === 503) {
    expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  }
}
