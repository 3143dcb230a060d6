import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { createEnvelope, maxAttempts, nextDelayMs, signPayload } from "../src/index.ts";

/** The used part of the package. Its own types are a fifth of all source text that a type-check would read. */
type StripeConstructor = new (key: string) => {
  webhooks: {
    constructEvent(
      body: string | Buffer,
      header: string,
      secret: string,
      toleranceSeconds?: number,
      cryptoProvider?: undefined,
      receivedAtMs?: number,
    ): unknown;
  };
};

/** The claim "accepted by a verifier that nobody here wrote" rests on this file. */
const Stripe: StripeConstructor = createRequire(import.meta.url)("stripe");
const { webhooks } = new Stripe("sk_unused");

const event = createEnvelope({
  id: "evt_1",
  type: "payment.settled",
  created: new Date(),
  object: { id: "pay_1", amount: 1250, currency: "EUR", status: "settled", note: "Zürich → 東京 💶" },
  livemode: false,
});
const body = JSON.stringify(event);
const now = (): number => Math.floor(Date.now() / 1000);

describe("the npm package stripe verifies our signature", () => {
  test("of a body beyond ASCII, as text and as bytes", async () => {
    const header = await signPayload({ body, secrets: ["whsec_one"], timestampSeconds: now() });

    expect(webhooks.constructEvent(body, header, "whsec_one")).toEqual(event);
    expect(webhooks.constructEvent(Buffer.from(body), header, "whsec_one")).toEqual(event);
  });

  test.each(["whsec_new", "whsec_old"])("during the overlap, knowing only %s", async (known) => {
    const header = await signPayload({ body, secrets: ["whsec_new", "whsec_old"], timestampSeconds: now() });

    expect(webhooks.constructEvent(body, header, known)).toEqual(event);
    expect(() => webhooks.constructEvent(body, header, "whsec_third")).toThrow(/signature/i);
  });

  test("of every attempt of the schedule, at its own time in seconds", async () => {
    let timeMs = Date.now();
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const timestampSeconds = Math.floor(timeMs / 1000);
      const header = await signPayload({ body, secrets: ["whsec_one"], timestampSeconds });

      expect(header).toMatch(new RegExp(`^t=${timestampSeconds},v1=[0-9a-f]{64}$`));
      expect(String(timestampSeconds)).toHaveLength(10);
      expect(webhooks.constructEvent(body, header, "whsec_one", 300, undefined, timeMs)).toEqual(event);
      timeMs += nextDelayMs(attempt) ?? 0;
    }
  });

  test("a retry that carried the first attempt's time would be refused", async () => {
    const header = await signPayload({ body, secrets: ["whsec_one"], timestampSeconds: now() - 1800 });

    expect(() => webhooks.constructEvent(body, header, "whsec_one")).toThrow(/tolerance/);
  });
});
