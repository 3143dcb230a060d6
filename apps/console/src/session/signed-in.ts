import type { Clock } from "@gateway/kernel";
import type { ConsoleSession, ConsoleSessions } from "@gateway/platform/console";
import type { Request, Response } from "express";
import type { ConsoleMetrics } from "../metrics.ts";
import type { ConsoleCookies } from "./console-cookies.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { nobodySignedIn } from "./require-page.ts";

export type SignedIn = ReturnType<typeof createSignedIn>;

type SignedInDeps = {
  sessions: Pick<ConsoleSessions, "find" | "renew">;
  provider: Pick<IdentityProvider, "refresh">;
  cookies: ConsoleCookies;
  clock: Clock;
  metrics: Pick<ConsoleMetrics, "refreshed">;
};

/** The time before its end at which a token is renewed, so that none expires in flight. */
const renewBeforeMs = 30_000;

type Attempt<Result> = {
  work(session: ConsoleSession): Promise<Result>;
  isRefused(result: Result): boolean;
};

/** The person signed in with the browser that sent a request, with tokens that remain valid for a while. */
export function createSignedIn(deps: SignedInDeps) {
  const renew = createRenewal(deps);
  return {
    /**
     * Runs `work` with the access token, and once more with a new one when `isRefused`. Rejects with UNAUTHENTICATED
     * when no user is signed in, and clears the cookie.
     */
    run: async <Result>(req: Request, res: Response, { work, isRefused }: Attempt<Result>): Promise<Result> => {
      const secret = deps.cookies.session.read(req);
      const over = (): Error => {
        deps.cookies.session.clear(res);
        return nobodySignedIn();
      };
      if (secret === null) {
        throw nobodySignedIn();
      }
      const found = await deps.sessions.find(secret);
      const isStale = found !== null && found.tokens.expiresAtMs - renewBeforeMs <= deps.clock.now();
      const session = isStale ? await renew(secret, found, req.ip) : found;
      if (session === null) {
        throw over();
      }
      const result = await work(session);
      if (!isRefused(result)) {
        return result;
      }
      // The grant has ended, or the keys were rolled. Only the identity provider knows which.
      const renewed = await renew(secret, session, req.ip);
      if (renewed === null) {
        throw over();
      }
      return work(renewed);
    },
  };
}

type Renew = (secret: string, stale: ConsoleSession, address: string | undefined) => Promise<ConsoleSession | null>;

/** Concurrent requests of one process share one renewal. Between processes, the row's lock decides. */
function createRenewal({ sessions, provider, metrics }: SignedInDeps): Renew {
  const underWay = new Map<string, Promise<ConsoleSession | null>>();
  return async (secret, { tokens: { accessToken } }, address) => {
    const key = `${secret} ${accessToken}`;
    const others = underWay.get(key);
    if (others) {
      return others;
    }
    const renewal = sessions.renew(secret, {
      staleAccessToken: accessToken,
      exchange: async ({ refreshToken }) => {
        try {
          const tokens = await provider.refresh(refreshToken, { address });
          metrics.refreshed(tokens === null ? "over" : "renewed");
          return tokens;
        } catch (error) {
          metrics.refreshed("unanswered");
          throw error;
        }
      },
    });
    underWay.set(key, renewal);
    try {
      return await renewal;
    } finally {
      underWay.delete(key);
    }
  };
}
