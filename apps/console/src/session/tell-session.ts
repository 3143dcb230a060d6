import { permissionOfRole } from "@gateway/platform/accounts";
import type { ConsoleSession } from "@gateway/platform/console";
import type { RequestHandler } from "express";
import type { IdentityProvider, KnownMembership, KnownPerson } from "./identity-provider.ts";
import { nobodySignedIn } from "./require-page.ts";
import type { AccountChoice, SessionInfo } from "./session-info.ts";
import type { SignedIn } from "./signed-in.ts";

export type TellSessionDeps = {
  signedIn: SignedIn;
  provider: Pick<IdentityProvider, "whoIs">;
  environment: SessionInfo["environment"];
  addresses: SessionInfo["addresses"];
};

/** Asks the identity provider each time, so that changes of a name, a role or an account show at once. */
export function tellSession({ signedIn, provider, ...deployment }: TellSessionDeps): RequestHandler {
  return async (req, res) => {
    const { session, person } = await signedIn.run(req, res, {
      work: async (found) => ({
        session: found,
        person: await provider.whoIs(found.tokens.accessToken, { address: req.ip }),
      }),
      isRefused: (known) => known.person === null,
    });
    const place = person?.memberships.find(({ accountId }) => accountId === session.accountId);
    if (!person || !place) {
      throw nobodySignedIn();
    }
    res.setHeader("Cache-Control", "no-store");
    res.json(presentSession({ session, person, place }, deployment));
  };
}

function presentSession(
  { session, person, place }: { session: ConsoleSession; person: KnownPerson; place: KnownMembership },
  { environment, addresses }: Pick<TellSessionDeps, "environment" | "addresses">,
): SessionInfo {
  return {
    person: { id: place.personId, userId: person.userId, name: person.name, email: person.email },
    account: presentAccount(place),
    role: place.role,
    permission: permissionOfRole[place.role],
    accounts: person.memberships.map(presentAccount),
    environment,
    signedInAt: new Date(session.signedInAtMs).toISOString(),
    addresses,
  };
}

function presentAccount({ accountId, accountName, role, isSuspended }: KnownMembership): AccountChoice {
  return { id: accountId, name: accountName, role, isSuspended };
}
