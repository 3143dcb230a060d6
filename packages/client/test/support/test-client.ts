import { afterEach } from "vitest";
import type { ClientOptions } from "../../src/client-options.ts";
import { createClientWith, type Client } from "../../src/create-client.ts";
import { systemDeps } from "../../src/transport/deps.ts";
import { startFakeGateway, type FakeGateway, type Reply } from "./fake-gateway.ts";

export const apiKey = `gk_test_${"A".repeat(32)}_000000`;

export type TestClient = {
  client: Client;
  gateway: FakeGateway;
  /** The waits of the client in ms. It does not actually sleep. */
  waits: number[];
};

const running: FakeGateway[] = [];

/** A client of a server that gives these replies. Its clock moves by its waits, and its jitter is the middle. */
export async function startTestClient(
  replies: readonly Reply[],
  options: Partial<ClientOptions> = {},
  random: () => number = () => 0.5,
): Promise<TestClient> {
  const gateway = await startFakeGateway(...replies);
  running.push(gateway);
  const waits: number[] = [];
  let sleptMs = 0;
  const isGiven = [options.accessToken, options.oauth, options.session].some((one) => one !== undefined);
  const credential = isGiven ? {} : { apiKey };
  const client = createClientWith({ baseUrl: gateway.url, ...credential, ...options } as ClientOptions, {
    now: () => systemDeps.now() + sleptMs,
    random,
    sleep: async (delayMs) => {
      waits.push(delayMs);
      sleptMs += delayMs;
    },
  });
  return { client, gateway, waits };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((gateway) => gateway.stop()));
});

/** The reason of a promise's rejection. Fails when the promise resolves. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const result = await work.then(
    () => ({ isFailure: false as const }),
    (error: unknown) => ({ isFailure: true as const, error }),
  );
  if (!result.isFailure) {
    throw new Error("It succeeded.");
  }
  return result.error;
}
