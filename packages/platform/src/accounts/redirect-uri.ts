import { findPublicHostProblem, hostOf } from "@gateway/engine/public-host";

/** Number of characters, all of them ASCII. */
export const maxRedirectUriLength = 2000;

/** Hosts for which http never leaves the machine (RFC 8252, 7.3). */
const loopbackHosts: readonly string[] = ["127.0.0.1", "[::1]", "localhost"];

/** Any program on the device may listen there under any name (RFC 8252, 8.6). */
export function isLoopbackUri(redirectUri: string): boolean {
  return loopbackHosts.includes(new URL(redirectUri).hostname);
}

/** Compared character by character (RFC 9700, 2.1), so only the form of the WHATWG URL standard is accepted. */
export function findRedirectUriProblem(text: string): string | null {
  if (text.length > maxRedirectUriLength) {
    return `must have at most ${maxRedirectUriLength} characters`;
  }
  if (!URL.canParse(text)) {
    return "must be an absolute URL, such as https://app.example.com/callback";
  }
  const url = new URL(text);
  return findSchemeProblem(url) ?? findPartProblem(text, url) ?? findHostProblem(url) ?? findFormProblem(text, url);
}

/** The same for an address that browsers are sent to without a code: it must not reach into the user's own network. */
export function findPublicUrlProblem(text: string): string | null {
  const problem = findRedirectUriProblem(text);
  if (problem !== null) {
    return problem;
  }
  const url = new URL(text);
  if (url.protocol !== "https:") {
    return "must begin with https://";
  }
  return isPlainHost(url.hostname) ? findPublicHostProblem(hostOf(url)) : plainHost;
}

function findSchemeProblem({ protocol, hostname }: URL): string | null {
  if (protocol === "https:" || (protocol === "http:" && loopbackHosts.includes(hostname))) {
    return null;
  }
  return "must begin with https://, or with http:// when its host is 127.0.0.1, [::1] or localhost";
}

/** A name or an IPv4 address that is allowed in a content security policy. */
export function isPlainHost(hostname: string): boolean {
  return /^[a-z0-9_.-]+$/.test(hostname);
}

/** `;`, `,` and quotes, which the URL standard allows, would begin a directive of a content security policy. */
function findHostProblem({ hostname }: URL): string | null {
  return isPlainHost(hostname) || /^\[[0-9a-f:.]+\]$/.test(hostname) ? null : plainHost;
}

const plainHost = "must have a host of letters, digits, dots and hyphens";

function findPartProblem(text: string, url: URL): string | null {
  if (text.includes("#")) {
    return "must not have a fragment";
  }
  if (url.username !== "" || url.password !== "") {
    return "must not have a user name or a password";
  }
  return text.includes("*") ? "must not have a wildcard: each address is registered in full" : null;
}

function findFormProblem(text: string, { href }: URL): string | null {
  return text === href ? null : `must be written as ${href}`;
}
