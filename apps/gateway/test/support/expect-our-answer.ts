import { expect } from "vitest";
import type { Answer, Ask } from "./http-client.ts";

/** Checks the parts of every response of the gateway: the envelope, the request id, the state of the limit, no HTML. */
export function expectOurAnswer(
  answer: Answer,
  { method = "GET", headers = {} }: Pick<Ask, "method" | "headers">,
): void {
  const isPreflightAnswer = method === "OPTIONS" && answer.status === 204;
  expect(answer.headers).toMatchObject({
    ...(isPreflightAnswer ? {} : { "content-type": "application/json; charset=utf-8" }),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": expect.stringMatching(/^req_[0-9a-z]{26}$/),
    "x-ratelimit-limit": expect.stringMatching(/^\d+$/),
    "x-ratelimit-remaining": expect.stringMatching(/^\d+$/),
    "x-ratelimit-reset": expect.stringMatching(/^\d{10}$/),
  });
  expect(answer.headers).not.toHaveProperty("x-powered-by");
  expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
  expect([undefined, headers["Origin"]]).toContain(answer.headers["access-control-allow-origin"]);
  if (method !== "HEAD" && !isPreflightAnswer) {
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
  expectChallenge(answer);
  if (answer.status === 429 || answer.status === 503) {
    expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  }
}

/**
 * RFC 9110, 11.6.1: each 401 has a challenge. RFC 6750, 3.1: a 403 may have one for a token, but not for a key.
 */
function expectChallenge({ status, headers }: Answer): void {
  const challenge = headers["www-authenticate"];
  if (status === 401) {
    expect(challenge).toMatch(
      /^Bearer realm="gateway"(?:, error="(?:invalid_token|insufficient_user_authentication", max_age="\d+)", error_description="[^"\\]+")?$/,
    );
  } else if (status === 403 && challenge !== undefined) {
    expect(challenge).toMatch(
      /^Bearer realm="gateway", error="insufficient_scope", scope="(?:read|write|admin)", error_description="[^"\\]+"$/,
    );
  } else {
    expect(challenge).toBeUndefined();
  }
}
