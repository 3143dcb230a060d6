import { describe, expect, expectTypeOf, test } from "vitest";
import {
  createEnvelope,
  type EnvelopeOf,
  type SignatureFailureReason,
  signPayload,
  verifyWebhook,
  WebhookVerificationError,
} from "../src/index.ts";
import { nowSeconds, secret } from "./support.ts";

type Event = EnvelopeOf<{
  "wallet.created": { id: string; currency: string };
  "payment.settled": { id: string; amount: number };
}>;

const envelope = createEnvelope({
  id: "evt_1",
  type: "wallet.created",
  created: new Date(Date.UTC(2026, 0, 15)),
  object: { id: "wal_1", currency: "EUR" },
  livemode: false,
});
const options = { nowSeconds };

async function signed(body: string): Promise<[string, string, string]> {
  return [body, await signPayload({ body, secrets: [secret], timestampSeconds: nowSeconds }), secret];
}

async function failureOf(attempt: Promise<unknown>): Promise<WebhookVerificationError> {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(WebhookVerificationError);
  return error as WebhookVerificationError;
}

test("an envelope has its keys in one order, with the time in UTC", () => {
  expect(JSON.stringify(envelope)).toBe(
    '{"id":"evt_1","type":"wallet.created","created":"2026-01-15T00:00:00.000Z","data":{"object":{"id":"wal_1","currency":"EUR"}},"livemode":false}',
  );
});

test("the event comes back, discriminated by its type", async () => {
  const event = await verifyWebhook<Event>(...(await signed(JSON.stringify(envelope))), options);

  expect(event).toEqual(envelope);
  if (event.type === "payment.settled") {
    expectTypeOf(event.data.object).toEqualTypeOf<{ id: string; amount: number }>();
  } else {
    expectTypeOf(event.data.object).toEqualTypeOf<{ id: string; currency: string }>();
  }
});

describe("each failure says what to do", () => {
  const cases: [SignatureFailureReason, (args: [string, string, string]) => unknown[], RegExp][] = [
    ["body_not_raw", ([body, header, key]) => [JSON.parse(body), header, key, options], /express\.raw/],
    ["missing", ([body, , key]) => [body, undefined, key, options], /no X-Service-Signature header/],
    ["malformed", ([body, , key]) => [body, "v1=abc", key, options], /t=<unix seconds>/],
    ["mismatch", ([body, header]) => [body, header, "another", options], /secret is that of this webhook/],
    [
      "expired",
      ([body, header, key]) => [body, header, key, { nowSeconds: nowSeconds + 301 }],
      /clock of this machine/,
    ],
    [
      "in_future",
      ([body, header, key]) => [body, header, key, { nowSeconds: nowSeconds - 301 }],
      /clock of this machine/,
    ],
  ];

  test.each(cases)("%s", async (reason, change, message) => {
    const args = change(await signed(JSON.stringify(envelope))) as Parameters<typeof verifyWebhook>;
    const error = await failureOf(verifyWebhook(...args));

    expect(error).toMatchObject({ name: "WebhookVerificationError", reason });
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(secret);
  });

  test.each([
    "",
    "no JSON",
    "null",
    "[]",
    "{}",
    '{"id":1,"type":"a","created":"","livemode":true,"data":{"object":{}}}',
  ])("signed but not an event: %s", async (body) => {
    expect(await failureOf(verifyWebhook(...(await signed(body)), options))).toMatchObject({ reason: "not_an_event" });
  });

  test("signed bytes that are not UTF-8 are not an event", async () => {
    const body = new Uint8Array([0xff, 0xfe]);
    const header = await signPayload({ body, secrets: [secret], timestampSeconds: nowSeconds });
    expect(await failureOf(verifyWebhook(body, header, secret, options))).toMatchObject({ reason: "not_an_event" });
  });
});
