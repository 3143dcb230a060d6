import { FactorNotProved, isProvedEnough, type User } from "@gateway/platform/auth";
import { leadingTo, readNextPage } from "./next-page.ts";
import { redirect, Refusal, type PageAnswer, type PageDeps, type PageHandler, type SignedInVisit } from "./page.ts";

export type SignedInHandler = (visit: SignedInVisit, deps: PageDeps) => Promise<PageAnswer>;

/** Others sign in first, and come back. */
export function signedIn(handle: SignedInHandler): PageHandler {
  return async (visit, deps) => {
    const { session } = visit;
    return session
      ? handle({ ...visit, session }, deps)
      : redirect(leadingTo("/sign-in", readNextPage(visit.req.originalUrl) ?? readNextPage(visit.req.path)));
  };
}

const recentMs = 15 * 60_000;

/**
 * Guards changes of credentials: who signed in over 15 minutes ago, or has an unproved second factor, signs in again
 * first. The change judges once more, because a factor may have changed meanwhile.
 */
export function recentlySignedIn(handle: SignedInHandler): PageHandler {
  return signedIn(async (visit, deps) => {
    const isRecent = deps.clock.now() - visit.session.authenticatedAtMs < recentMs;
    const again = redirect(leadingTo("/sign-in/again", readNextPage(visit.req.path)));
    if (!isRecent || !isProvedEnough(await deps.platform.auth.factors.find(visit.session.userId), visit.session)) {
      return again;
    }
    try {
      return await handle(visit, deps);
    } catch (error) {
      if (error instanceof FactorNotProved) {
        return again;
      }
      throw error;
    }
  });
}

export async function userOf({ session }: SignedInVisit, { platform }: PageDeps): Promise<User> {
  const user = await platform.auth.users.get(session.userId);
  if (!user) {
    throw new Refusal(404, {
      title: "There is no such user",
      message: "The user of this session does not exist any more.",
    });
  }
  return user;
}
