/**
 * The seconds in the challenge of RFC 9470; null for another challenge, or none. A renewed token would meet the same.
 */
export function demandedMaxAge(headers: Headers): number | null {
  const challenge = headers.get("WWW-Authenticate") ?? "";
  const [, seconds] = /error="insufficient_user_authentication".*max_age="?(\d+)/.exec(challenge) ?? [];
  return seconds === undefined ? null : Number(seconds);
}
