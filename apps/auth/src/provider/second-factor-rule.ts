import type { Membership } from "@gateway/platform/accounts";
import { hasFactor, provesFactor } from "@gateway/platform/auth";
import type { Services } from "@gateway/platform/compose/may-call";
import type { BrowserSession } from "../browser/browser-session.ts";

/** Whether the session proved a second factor that the user still has. */
export async function isWithSecondFactor(
  { auth }: Pick<Services, "auth">,
  session: Pick<BrowserSession, "userId" | "method" | "secondFactor">,
): Promise<boolean> {
  return provesFactor(await auth.factors.find(session.userId), session);
}

/** Whether the account refuses this session, because its owners need a second factor. */
export async function lacksSecondFactor(
  { platform }: { platform: Pick<Services, "auth"> },
  session: Parameters<typeof isWithSecondFactor>[1],
  { needsSecondFactor }: Pick<Membership, "needsSecondFactor">,
): Promise<boolean> {
  return needsSecondFactor && !(await isWithSecondFactor(platform, session));
}

export async function ownsSecondFactor({ auth }: Pick<Services, "auth">, userId: string): Promise<boolean> {
  return hasFactor(await auth.factors.find(userId));
}
