import { isLet } from "../provider/requested-scopes.ts";
import { consoleApplication, type Membership, type People } from "@gateway/platform/accounts";
import type { Users } from "@gateway/platform/auth";
import type { RequestHandler, Response } from "express";
import type { IssuedTokens } from "../provider/issued-tokens.ts";

export type UserinfoDeps = {
  accessTokens: IssuedTokens;
  users: Pick<Users, "get">;
  people: Pick<People, "listOfUser">;
};

/**
 * The user of an access token (OpenID Connect Core 1.0, 5.3). The library's own endpoint refuses every token for
 * another resource, such as our tokens for the gateway. The console also receives the user's memberships.
 */
export function userinfo({ accessTokens, users, people }: UserinfoDeps): RequestHandler {
  return async (req, res) => {
    res.setHeader("Cache-Control", "no-store");
    const [, text] = /^Bearer ([\w.~+/-]+=*)$/i.exec(req.headers.authorization ?? "") ?? [];
    if (text === undefined) {
      refuse(res, 401, null);
      return;
    }
    const token = await accessTokens.verify(text);
    const user = token && (await users.get(token.userId));
    if (!token || !user) {
      refuse(res, 401, ["invalid_token", "the access token is not valid or has expired"]);
      return;
    }
    if (!isLet("openid", token)) {
      refuse(res, 403, ["insufficient_scope", "the access token is not for openid"]);
      return;
    }
    res.json({
      sub: user.id,
      ...(isLet("email", token) && { email: user.email, email_verified: true }),
      ...(isLet("profile", token) && { name: user.name }),
      ...(token.clientId === consoleApplication.id && {
        memberships: (await people.listOfUser(user.id)).map(presentMembership),
      }),
    });
  };
}

function presentMembership({ accountId, accountName, personId, role, isSuspended }: Membership): object {
  return { accountId, accountName, personId, role, isSuspended };
}

/** RFC 6750, 3.1: the response gives no reason when no token was sent. */
function refuse(res: Response, status: number, reason: readonly [error: string, description: string] | null): void {
  const scope = status === 403 ? ', scope="openid"' : "";
  const told = reason ? `, error="${reason[0]}", error_description="${reason[1]}"${scope}` : "";
  res.status(status).setHeader("WWW-Authenticate", `Bearer realm="auth"${told}`);
  res.json(
    reason
      ? { error: reason[0], error_description: reason[1] }
      : { error: "invalid_token", error_description: "send an access token as Authorization: Bearer" },
  );
}
