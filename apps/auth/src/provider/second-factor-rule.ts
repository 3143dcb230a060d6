import { hasSecondFactor, type Membership, type Services } from "@gateway/platform";
import type { BrowserSession } from "../browser/browser-session.ts";

/** Whether the session was signed in to with a second factor, and the user still has one. */
export async function isWithSecondFactor(
  { auth }: Pick<Services, "auth">,
  session: Pick<BrowserSession, "userId" | "method" | "secondFactor">,
): Promise<boolean> {
  return hasSecondFactor(session) && (await ownsSecondFactor({ auth }, session.userId));
}

/** Whether the account lets nobody do anything in it like this: its owners need a second factor. */
export async function lacksSecondFactor(
  { platform }: { platform: Pick<Services, "auth"> },
  session: Parameters<typeof isWithSecondFactor>[1],
  { needsSecondFactor }: Pick<Membership, "needsSecondFactor">,
): Promise<boolean> {
  return needsSecondFactor && !(await isWithSecondFactor(platform, session));
}

export async function ownsSecondFactor({ auth }: Pick<Services, "auth">, userId: string): Promise<boolean> {
  return (await auth.authenticators.find(userId)) !== null || (await auth.passkeys.listOfUser(userId)).length > 0;
}
