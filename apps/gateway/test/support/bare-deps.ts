import { operations } from "@gateway/contract";
import { systemClock } from "@gateway/kernel";
import { createRateLimiter, type RateLimiter } from "@gateway/limits";
import type { ApiKeyHolder } from "@gateway/platform/accounts";
import type { Platform } from "@gateway/platform/compose/platform";
import type { GatewayDeps } from "../../src/app.ts";
import { operationTable } from "../../src/operations/index.ts";

/**
 * The dependencies of the gateway's app, without database, log and metrics. A caller with any well-formed key is an
 * admin.
 */
export function bareDeps(overrides: Partial<GatewayDeps> = {}): GatewayDeps {
  return {
    // No test that uses these lets a request come so far that it needs it.
    platform: {} as Platform,
    clock: systemClock,
    observer: {
      requestBegun: () => {},
      requestDone: () => {},
      unreadableRequest: () => {},
      limitStoreFailed: () => {},
      keySetNotRead: () => {},
      answerNotStored: () => {},
      responseMismatched: () => {},
    },
    rateLimiter: limiterOf({ windowSeconds: 60 }),
    dailyLimiter: limiterOf({ windowSeconds: 86_400 }),
    apiKeyCache: { find: async () => anyAdmin(), lastKnown: () => null, forgetAccount: () => {}, forgetAll: () => {} },
    accessTokens: null,
    origins: { has: () => false },
    grantCache: { find: async () => null, lastKnown: () => null, forgetAccount: () => {}, forgetAll: () => {} },
    waiters: { until: ({ read }) => read() },
    authUrl: null,
    credentialUsage: { note: () => {}, flush: async () => {} },
    livemode: false,
    docsUrl: null,
    trustedProxies: [],
    policies: Object.values(operations),
    operationTable,
    requestChecks: new Map(),
    atEndOfTurn: (work) => work(),
    checkResponse: () => {},
    holdAnswer: () => {},
    upstreams: { of: () => null },
    ...overrides,
  };
}

function limiterOf({ windowSeconds }: { windowSeconds: number }): RateLimiter {
  return createRateLimiter({ clock: systemClock, windowSeconds, redis: null, onStoreFailure: () => {} });
}

function anyAdmin(): ApiKeyHolder {
  return {
    apiKeyId: "key_01kghsq31hfkftt8r0t9fm6d4b",
    accountId: "acc_01kern7ck2exsrtpkeg8qrsn0h",
    permission: "admin",
    isSuspended: false,
    tier: "enterprise",
    requestsPerMinute: null,
    expiresAtMs: null,
    revokedAtMs: null,
  };
}
