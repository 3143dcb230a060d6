import { Problem, type ProblemCode } from "@gateway/contract";
import { secondsInWords } from "@gateway/kernel";

/** RFC 9110, 11.6.1: a 401 has a challenge, Bearer. Without a token the challenge has no error code (RFC 6750, 3.1). */
export function unauthenticated(message: string): Problem {
  return refuse("UNAUTHENTICATED", message, 'Bearer realm="gateway"');
}

/** Refuses a token that is not valid (RFC 6750, 3.1). The message never repeats the token. */
export function invalidToken(message: string): Problem {
  return refuse("UNAUTHENTICATED", message, `Bearer realm="gateway", error="invalid_token", ${describe(message)}`);
}

/** Refuses a valid token without the needed permission. `scope` is the least that would suffice. */
export function insufficientScope(message: string, scope: string): Problem {
  const error = `error="insufficient_scope", scope="${scope}"`;
  return refuse("FORBIDDEN", message, `Bearer realm="gateway", ${error}, ${describe(message)}`);
}

/** RFC 9470, 3: the client sends its user to sign in again, with this `max_age`. */
export function insufficientUserAuthentication(maxAgeSeconds: number): Problem {
  const message = `This needs a person who signed in within the last ${secondsInWords(maxAgeSeconds)}. Sign in again, and repeat the request with the new access token.`;
  const error = `error="insufficient_user_authentication", max_age="${maxAgeSeconds}"`;
  return refuse("FRESH_SIGN_IN_REQUIRED", message, `Bearer realm="gateway", ${error}, ${describe(message)}`);
}

/** No credential of the account would help, so there is no challenge. */
export function accountSuspended(): Problem {
  return new Problem(
    "ACCOUNT_SUSPENDED",
    "This account is suspended, so none of its credentials is accepted. Contact the operator of this service.",
  );
}

function refuse(code: ProblemCode, message: string, challenge: string): Problem {
  return new Problem(code, message, { headers: { "WWW-Authenticate": challenge } });
}

/** Our messages are ASCII. Characters that RFC 6750 does not allow in a description are removed. */
function describe(message: string): string {
  return `error_description="${message.replaceAll(/[^\x20-\x7e]|["\\]/g, "")}"`;
}
