import { Problem } from "@gateway/contract";
import { createEndOfTurn } from "@gateway/kernel";
import CircuitBreaker from "opossum";
import { Pool, RetryAgent, type Dispatcher } from "undici";
import { exchange, type UpstreamExchange, type UpstreamAnswer } from "./exchange.ts";
import {
  createPrincipalSigner,
  deriveIdempotencyKey,
  principalHeaderName,
  type ForwardedPrincipal,
} from "./principal-header.ts";
import type { ForwardableService } from "./services.ts";
import { upstreamUnavailable } from "./upstream-fault.ts";
import type { UpstreamConfig } from "./upstream-settings.ts";

type UpstreamRequest = {
  method: Dispatcher.HttpMethod;
  target: string;
  requestId: string;
  body: Buffer | null;
  idempotencyKey: string | null;
  principal: ForwardedPrincipal;
};

/** `refused`: the breaker was open or too many requests were in flight, so nothing was sent. */
type UpstreamOutcome = "answered" | "unavailable" | "timeout" | "invalid" | "refused";

export interface Upstream {
  readonly service: ForwardableService;
  readonly timeoutMs: number;
  /** Rejects with a Problem. Retries only a GET, and only once. */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Whether requests are refused because too many failed. */
  isOpen(): boolean;
  close(): Promise<void>;
}

export type UpstreamOptions = {
  timeoutMs: number;
  livemode: boolean;
  now(): number;
  onDone?: (service: ForwardableService, outcome: UpstreamOutcome, seconds: number) => void;
  /** How long an open breaker waits before it lets one request try. */
  resetAfterMs?: number;
};

/** The maximum in flight from this process to one upstream. It bounds the memory for slow ones (5 MB each at most). */
const maxUnderWay = 256;
const retryAfterMs = 50;
const breakerWindowMs = 10_000;
const breakerVolume = 20;
/** opossum opens above its threshold, and half of the requests is enough. */
const breakerPercentage = 49.999;

export function createUpstream({ service, url, secret }: UpstreamConfig, options: UpstreamOptions): Upstream {
  const { timeoutMs, livemode, now, onDone, resetAfterMs = 5_000 } = options;
  const pool = openPool(url, timeoutMs);
  const agent = new RetryAgent(pool, {
    ...{ methods: ["GET"], maxRetries: 1, statusCodes: [502, 503, 504], throwOnError: false },
    ...{ minTimeout: retryAfterMs, maxTimeout: retryAfterMs, retryAfter: false },
  });
  const atEndOfTurn = createEndOfTurn();
  const breaker = new CircuitBreaker((request: UpstreamExchange) => exchange(agent, request, atEndOfTurn), {
    ...{ timeout: false, capacity: maxUnderWay, resetTimeout: resetAfterMs },
    ...{ errorThresholdPercentage: breakerPercentage, volumeThreshold: breakerVolume },
    ...{ rollingCountTimeout: breakerWindowMs, rollingCountBuckets: 10, rollingPercentilesEnabled: false },
    errorFilter: (error: unknown) => !isFailure(error),
  });
  const sign = createPrincipalSigner({ secret, now });

  const headersOf = (request: UpstreamRequest): Record<string, string> => {
    const { principal, body, idempotencyKey, requestId } = request;
    return {
      Accept: "application/json",
      "X-Request-Id": requestId,
      [principalHeaderName]: sign({ service, livemode, ...request }),
      ...(body && { "Content-Type": "application/json" }),
      ...(idempotencyKey !== null && {
        "Idempotency-Key": deriveIdempotencyKey(secret, { accountId: principal.accountId, key: idempotencyKey }),
      }),
    };
  };

  return {
    service,
    timeoutMs,
    send: async (request) => {
      const startedAtMs = performance.now();
      const { method, target, body } = request;
      let outcome: UpstreamOutcome = "answered";
      try {
        return await breaker.fire({ method, target, body, timeoutMs, headers: headersOf(request) });
      } catch (error) {
        outcome = outcomeOf(error);
        throw error instanceof Problem ? error : upstreamUnavailable(error);
      } finally {
        onDone?.(service, outcome, (performance.now() - startedAtMs) / 1000);
      }
    },
    isOpen: () => breaker.opened,
    close: async () => {
      breaker.shutdown();
      await pool.destroy();
    },
  };
}

function openPool(url: string, timeoutMs: number): Pool {
  return new Pool(url, {
    connections: maxUnderWay,
    pipelining: 1,
    allowH2: false,
    // The exchange ends a request; these limits end one that it forgot.
    ...{ connectTimeout: timeoutMs, headersTimeout: timeoutMs * 2, bodyTimeout: timeoutMs * 2 },
    // A connection that the upstream closes while we write costs a failed request.
    keepAliveTimeoutThreshold: 1_000,
  });
}

/** Faults of an upstream that does not work. An invalid response is a fault too, but shows that the upstream works. */
function isFailure(error: unknown): boolean {
  return !(error instanceof Problem && error.code === "UPSTREAM_INVALID_ANSWER");
}

function outcomeOf(error: unknown): UpstreamOutcome {
  if (!(error instanceof Problem)) {
    return "refused";
  }
  if (error.code === "UPSTREAM_TIMEOUT") {
    return "timeout";
  }
  return error.code === "UPSTREAM_INVALID_ANSWER" ? "invalid" : "unavailable";
}
