import type { SecondFactor, Session, Sessions, SignInMethod } from "@gateway/platform/auth";
import type { Services } from "@gateway/platform/compose/may-call";
import type { Request, Response } from "express";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Cookies } from "./cookies.ts";

export type BrowserSession = {
  sessionId: string;
  userId: string;
  method: SignInMethod;
  secondFactor: SecondFactor | null;
  /** When the user last proved to be present, in ms since the Unix epoch. */
  authenticatedAtMs: number;
};

export type WhoSignsIn = { userId: string; method: SignInMethod; secondFactor?: SecondFactor | null };

export type BrowserSessions = ReturnType<typeof createBrowserSessions>;

const maxAgeSeconds = 90 * 24 * 60 * 60;
const secretPattern = /^[\w-]{43}$/;
const maxUserAgentLength = 500;

export function createBrowserSessions({ sessions, cookies }: { sessions: Sessions; cookies: Cookies }) {
  const findAmong = async (req: IncomingMessage, among = sessions): Promise<BrowserSession | null> => {
    const secret = cookies.read(req, "session");
    const session = secret !== null && secretPattern.test(secret) ? await among.find(secret) : null;
    return session && browserSessionOf(session);
  };
  return {
    find: (req: IncomingMessage): Promise<BrowserSession | null> => findAmong(req),
    /** Starts a session with a new random secret, and ends the former one. The services are those of a transaction. */
    start: async (
      req: Request,
      res: Response,
      { userId, method, secondFactor = null }: WhoSignsIn,
      { accounts, auth }: Pick<Services, "accounts" | "auth">,
    ): Promise<BrowserSession> => {
      const before = await findAmong(req, auth.sessions);
      const { secret, ...session } = await auth.sessions.start({
        userId,
        method,
        secondFactor,
        userAgent: (req.get("User-Agent") ?? "").slice(0, maxUserAgentLength),
        address: req.ip ?? "",
      });
      if (before?.userId === userId) {
        await accounts.grants.moveToSession({ userId, from: before.sessionId, to: session.id });
      }
      await (before && auth.sessions.end(before));
      cookies.set(res, "session", secret, { maxAgeSeconds });
      return browserSessionOf(session);
    },
    end: async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
      const session = await findAmong(req);
      await (session && sessions.end(session));
      cookies.clear(res, "session");
    },
  };
}

function browserSessionOf(session: Session): BrowserSession {
  return {
    sessionId: session.id,
    userId: session.userId,
    method: session.method,
    secondFactor: session.secondFactor,
    authenticatedAtMs: session.authenticatedAt.getTime(),
  };
}
