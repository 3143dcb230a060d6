import type { Clock } from "@gateway/kernel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { consoleApplication, permissionOfConsent, type OauthClient, type Permission } from "@gateway/platform/accounts";
import type { AuditOrigin } from "@gateway/platform/audit";
import type { Services } from "@gateway/platform/compose/may-call";
import { errors, type InteractionResults } from "oidc-provider";
import type { BrowserSession, BrowserSessions } from "../browser/browser-session.ts";
import { loginOf } from "./authentication-methods.ts";
import type { GatewayProvider } from "./gateway-provider.ts";
import { openidScopesOf, knownScopesOf } from "./requested-scopes.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

/** An authorize request of an application that waits until the user signs in, or allows the request. */
export type Interaction = {
  /**
   * The last part of its address, `/interaction/<uid>`. Only the browser that began it can see it and respond to it.
   */
  uid: string;
  prompt: "login" | "consent";
  application: Pick<OauthClient, "id" | "name" | "websiteUrl">;
  /** The requested scopes that are known and that the application is registered for. */
  scopes: string[];
  /** The permission that the application would get and keep. Null: it only learns who the user is. */
  permission: Permission | null;
  /**
   * With `consent`: the user who signed in. With `login`: the user who is already signed in with this browser, if any.
   */
  userId: string | null;
  /** The user's address as the application supposes it (`login_hint`). */
  loginHint: string | null;
  /**
   * False when the browser's session is sufficient, so that `signIn` may be called at once. True without a session, or
   * when the application insists (`prompt=login`, `max_age`) or expects another user.
   */
  mustSignInAgain: boolean;
};

export type Interactions = ReturnType<typeof createInteractions>;

type Choice = { accountId: string; permission: Permission | null; session: BrowserSession; origin: AuditOrigin };

/** An interaction has ended since it was found: another request with the same form was faster, or it expired. */
export class InteractionOver extends Error {
  override name = "InteractionOver";
}

export type InteractionsDeps = {
  provider: () => GatewayProvider;
  unitOfWork: UnitOfWork;
  browserSessions: Pick<BrowserSessions, "find">;
  clock: Clock;
  apiUrl: string;
};

type Stored = Awaited<ReturnType<GatewayProvider["interactionDetails"]>>;

/**
 * The results are URLs of this service for a redirect with 303. All methods except `find` reject with an
 * InteractionOver.
 */
export function createInteractions(deps: InteractionsDeps) {
  const { provider } = deps;
  return {
    /** Null when it has ended or expired, or was begun by another browser. */
    find: async (req: IncomingMessage, res: ServerResponse): Promise<Interaction | null> => {
      const stored = await findStored(provider(), req, res);
      return stored && describe(deps, stored, req);
    },
    /** The cookie of the session must already be set on the response. */
    signIn: async (req: IncomingMessage, res: ServerResponse, session: BrowserSession): Promise<string> => {
      const stored = await getStored(provider(), req, res);
      await forgetOtherUser(provider(), stored, { req, res, userId: session.userId });
      return answer(stored, { login: loginOf(session) });
    },
    /**
     * The user gives the application access to the account. The caller has checked that the user is a person of the
     * account.
     */
    consent: async (req: IncomingMessage, res: ServerResponse, choice: Choice): Promise<string> => {
      const stored = await getStored(provider(), req, res);
      const consent = { grantId: await grant(deps, stored, choice) };
      return answer(stored, { ...stored.lastSubmission, login: loginOf(choice.session), consent });
    },
    /** Asks for another user, once the session of the browser has ended. */
    askAgain: async (req: IncomingMessage, res: ServerResponse): Promise<string> =>
      answer(await getStored(provider(), req, res), {}),
    deny: async (req: IncomingMessage, res: ServerResponse): Promise<string> =>
      answer(await getStored(provider(), req, res), {
        error: "access_denied",
        error_description: "the user did not allow it",
      }),
  };
}

async function findStored(
  provider: GatewayProvider,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<Stored | null> {
  try {
    return await provider.interactionDetails(req, res);
  } catch (error) {
    if (error instanceof errors.SessionNotFound) {
      return null;
    }
    throw error;
  }
}

async function getStored(provider: GatewayProvider, req: IncomingMessage, res: ServerResponse): Promise<Stored> {
  const stored = await findStored(provider, req, res);
  if (!stored) {
    throw new InteractionOver();
  }
  return stored;
}

async function describe(deps: InteractionsDeps, stored: Stored, req: IncomingMessage): Promise<Interaction | null> {
  const { uid, params, prompt } = stored;
  const client = await deps.unitOfWork
    .current()
    .services.accounts.oauthApplications.findClient(textOf(params["client_id"]) ?? "");
  if (!client) {
    return null;
  }
  const session = await deps.browserSessions.find(req);
  const scopes = knownScopesOf(params["scope"]);
  const isLogin = prompt.name === "login";
  return {
    uid,
    prompt: isLogin ? "login" : "consent",
    application: client,
    scopes,
    permission: permissionOfConsent({ scopes, applicationScopes: client.scopes }),
    userId: isLogin ? (session?.userId ?? null) : (stored.session?.accountId ?? null),
    loginHint: textOf(params["login_hint"]),
    mustSignInAgain: isLogin && (session === null || !isEnough(stored, session, deps.clock)),
  };
}

/** The reasons of the library's policy that the existence of our session settles. */
const reasonsOfAbsence = ["no_session", "session_over"];

/**
 * Whether the session satisfies the application: it asked only because a session was missing, or the session began
 * later.
 */
function isEnough(stored: Stored, session: BrowserSession, clock: Clock): boolean {
  const maxAge = textOf(stored.params["max_age"]);
  const isFresh = maxAge === null || session.authenticatedAtMs >= clock.now() - Number(maxAge) * 1000;
  const insists = stored.prompt.reasons.some((reason) => !reasonsOfAbsence.includes(reason) && reason !== "max_age");
  // The library counts in whole seconds, so a sign-in in the same second may have come before the request.
  const isLater = session.authenticatedAtMs >= (stored.iat + 1) * 1000;
  return isFresh && (!insists || isLater);
}

/** Signs the former user out of the library, which would otherwise do so with a page that a script submits. */
async function forgetOtherUser(
  provider: GatewayProvider,
  stored: Stored,
  { req, res, userId }: { req: IncomingMessage; res: ServerResponse; userId: string },
): Promise<void> {
  if (!stored.session || stored.session.accountId === userId) {
    return;
  }
  const session = await provider.Session.get(provider.createContext(req, res));
  await session.destroy();
  delete stored.session;
}

async function answer(stored: Stored, result: InteractionResults): Promise<string> {
  stored.result = result;
  await stored.persist();
  return stored.returnTo;
}

/**
 * Adds a consent to the grant of user, application and account, or creates the grant. The console gets one per sign-in.
 */
async function grant(
  { provider, unitOfWork, apiUrl }: InteractionsDeps,
  stored: Stored,
  { accountId, permission, session, origin }: Choice,
): Promise<string> {
  const userId = stored.session?.accountId;
  const applicationId = textOf(stored.params["client_id"]);
  if (userId === undefined || applicationId === null) {
    throw new Error("An interaction asks for consent before anybody signed in.");
  }
  const { Grant } = provider();
  const work = async ({ accounts }: Services): Promise<string> => {
    await accounts.grants.lockConsents({ userId, applicationId });
    const held = (await accounts.grants.listOfUser(userId)).find(
      (each) => each.applicationId === applicationId && each.accountId === accountId,
    );
    const known = held && (await Grant.find(held.grantId));
    const given = known ?? new Grant({ accountId: userId, clientId: applicationId });
    const scopes = knownScopesOf(stored.params["scope"]);
    given.addOIDCScope(openidScopesOf(scopes).join(" "));
    given.addResourceScope(apiUrl, scopes.join(" "));
    const id = await given.save();
    const sessionId = applicationId === consoleApplication.id ? session.sessionId : null;
    await accounts.grants.create({ id, userId, accountId, applicationId, permission, sessionId });
    return id;
  };
  return unitOfWork.run(work, { origin });
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
