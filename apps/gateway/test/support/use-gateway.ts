import { useAll, type DatabaseTestClock } from "@gateway/testkit";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { startGatewayAtNoon } from "./gateway-at-noon.ts";
import { startTestGateway, type TestGateway, type TestGatewayOptions } from "./test-gateway.ts";
import { startTestIssuer, type TestIssuer } from "./test-issuer.ts";
import { startTestUpstream, type TestUpstream } from "./test-upstream.ts";

type Options = TestGatewayOptions | (() => TestGatewayOptions);

const settled = (options: Options): TestGatewayOptions => (typeof options === "function" ? options() : options);

/** The gateway of a suite. Options that are known only once the suite runs come from a function. */
export function useGateway(options: Options = {}): TestGateway {
  return useAll(
    () => startTestGateway(settled(options)),
    (gateway) => gateway.stop(),
  );
}

/** The same with a clock that stands still until it is moved. */
export function useGatewayAtNoon(options: Options = {}): { gateway: TestGateway; clock: DatabaseTestClock } {
  const world = { gateway: {} as TestGateway, clock: {} as DatabaseTestClock };
  beforeAll(async () => {
    const { gateway, clock } = await startGatewayAtNoon(settled(options));
    Object.assign(world.gateway, gateway);
    Object.assign(world.clock, clock);
  });
  afterAll(() => world.gateway.stop());
  return world;
}

export function useIssuer(options: Parameters<typeof startTestIssuer>[0] = {}): TestIssuer {
  return useAll(
    () => startTestIssuer(options),
    (issuer) => issuer.stop(),
  );
}

/** An upstream whose received requests are cleared before each test. */
export function useUpstream(): TestUpstream {
  const upstream = {} as TestUpstream;
  beforeAll(() => startTestUpstream(upstream));
  beforeEach(() => void (upstream.received.length = 0));
  afterAll(() => upstream.stop());
  return upstream;
}
