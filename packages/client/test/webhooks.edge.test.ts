import { type EventType, eventTypes, exampleEvent } from "@gateway/contract";
import express from "express";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { readRawBody, signTestPayload, verifyWebhook, WebhookVerificationError } from "../src/webhooks.ts";
import { failureOf } from "./support/test-client.ts";

const secret = "whsec_test";
const event = exampleEvent("payment.settled");
const headerName = "x-service-signature";

test.each(eventTypes)("an event %s that is signed for a test is verified", async (type: EventType) => {
  const one = exampleEvent(type);
  const { body, headers } = await signTestPayload(one, secret);
  expect(await verifyWebhook(body, headers["X-Service-Signature"], secret)).toEqual(one);
});

test("an event of a type and with fields that are newer than the client is handed on whole", async () => {
  const newer = { ...event, type: "wallet.frozen", reason: "new", data: { object: { ...event.data.object, fee: 5 } } };
  const { body, headers } = await signTestPayload(JSON.stringify(newer), secret);
  const verified = await verifyWebhook(body, headers["X-Service-Signature"], secret);
  expect(verified).toEqual(newer);
  expect(["payment.settled", "wallet.created"].includes(verified.type)).toBe(false);
});

test("text is signed as it is, at the time that is asked for", async () => {
  const body = `${JSON.stringify(event)}\n`;
  const signed = await signTestPayload(body, secret, { nowSeconds: 1_773_056_823 });
  expect(signed.body).toBe(body);
  expect(signed.headers["X-Service-Signature"]).toMatch(/^t=1773056823,v1=[0-9a-f]{64}$/);
  const verified = verifyWebhook(body, signed.headers["X-Service-Signature"], secret, { nowSeconds: 1_773_056_823 });
  expect(await verified).toEqual(event);
  expect(await failureOf(verifyWebhook(body, signed.headers["X-Service-Signature"], secret))).toMatchObject({
    reason: "expired",
  });
});

test("a forged delivery is refused with a reason", async () => {
  const { body, headers } = await signTestPayload(event, "another");
  const error = await failureOf(verifyWebhook(body, headers["X-Service-Signature"], secret));
  expect(error).toBeInstanceOf(WebhookVerificationError);
  expect(error).toMatchObject({ reason: "mismatch" });
});

describe("the raw body of a Fetch request", () => {
  test("is its bytes", async () => {
    const { body, headers } = await signTestPayload(event, secret);
    const request = new Request("https://receiver.example/", { method: "POST", headers, body });
    expect(await verifyWebhook(await readRawBody(request), request.headers.get(headerName), secret)).toEqual(event);
  });

  test("is gone once it was read", async () => {
    const request = new Request("https://receiver.example/", { method: "POST", body: "{}" });
    await request.json();
    expect(await failureOf(readRawBody(request))).toMatchObject({ reason: "body_not_raw" });
  });
});

describe("the raw body of a request of Node's server", () => {
  const receivers: [name: string, RequestListener][] = [
    ["of node:http", createReceiver()],
    ["of Express without a parser", express().use(createReceiver())],
    ["of Express after express.raw()", express().use(express.raw({ type: "application/json" }), createReceiver())],
    ["of Express after express.text()", express().use(express.text({ type: "application/json" }), createReceiver())],
    ["of Express after a parser that passed it over", express().use(express.urlencoded(), createReceiver())],
  ];

  test.each(receivers)("%s is its bytes", async (_name, listener) => {
    expect(await post(listener, await signTestPayload(event, secret))).toEqual({ verified: event.id });
  });

  test("is gone after express.json(), and the message says what to use", async () => {
    const listener = express().use(express.json(), createReceiver());
    const answer = await post(listener, await signTestPayload(event, secret));
    expect(answer).toEqual({ reason: "body_not_raw", message: expect.stringContaining("express.raw()") as unknown });
  });

  test("is refused when it is larger than any event", async () => {
    expect(await post(createReceiver(), { body: "x".repeat(1_048_577), headers: {} })).toEqual({
      message: "The body is larger than 1048576 bytes: no event is.",
    });
  });
});

function createReceiver(): RequestListener {
  return (req, res) => {
    readRawBody(req)
      .then((body) => verifyWebhook(body, req.headers[headerName], secret))
      .then(
        ({ id }) => res.end(JSON.stringify({ verified: id })),
        ({ reason, message }: WebhookVerificationError) => res.end(JSON.stringify({ reason, message })),
      );
  };
}

async function post(
  listener: RequestListener,
  request: { body: string; headers: Record<string, string> },
): Promise<unknown> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address of this kind.
  const { port } = server.address() as AddressInfo;
  try {
    return await (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", ...request })).json();
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
