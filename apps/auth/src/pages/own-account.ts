import type { Membership } from "@gateway/platform/accounts";
import { Refusal, type PageDeps, type SignedInVisit } from "./page.ts";

/** Refers to the operator, because only the operator can explain a suspension. */
export const suspendedHint = "It is blocked until the operator of this service resumes it. Contact the operator.";

/** The account of the path, which the user must own. All others get the same words, so that ids cannot be probed. */
export async function findOwnAccount(
  { req, session }: SignedInVisit,
  { platform }: Pick<PageDeps, "platform">,
): Promise<Membership> {
  const memberships = await platform.accounts.people.listOfUser(session.userId);
  const own = memberships.find(({ accountId, role }) => accountId === req.params["accountId"] && role === "owner");
  if (!own) {
    throw new Refusal(404, {
      title: "There is no such account",
      message: "The account does not exist, or you are not one of its owners. Ask an owner to make the change.",
    });
  }
  if (own.isSuspended) {
    throw new Refusal(403, { title: "Your account is suspended", message: suspendedHint });
  }
  return own;
}
