import { LRUCache } from "lru-cache";
import { cut } from "./trim.ts";

const longestUserAgent = 120;
/** Numbers, and a word such as `-beta.2` after them: digits and letters mixed may be a key. */
const product =
  /^[(;,]*(?!gk_|whsec_|ey)[A-Za-z][A-Za-z_.-]{0,29}\/v?\d{1,5}(?:[._]\d{1,5}){0,3}(?:[-+.]?[A-Za-z]{1,10}(?:\.?\d{1,4})?)?[);,]*$/;
/** Three groups at most: four are an address or a card. */
const number = /^[(;,]*(?:rv:)?\d{1,4}(?:[._]\d{1,5}){1,2}[);,:]*$/;
const marks = /^[(;,]+|[);,:]+$/g;

/**
 * Words by which browsers, libraries and machines name themselves without a version. Any other word may be a password.
 */
const words: ReadonlySet<string> = new Set(
  `AppleWebKit KHTML like Gecko Chrome Safari Firefox Mobile Tablet Version Mozilla compatible
  X11 Wayland Linux Ubuntu Debian Fedora CrOS Android Windows NT Win64 WOW64 x64 x86 x86_64 i686 i586 amd64 arm64 aarch64 armv7l armv8l
  Macintosh Intel Mac OS X Darwin macOS iOS iPhone iPad iPod CPU U K wv
  curl Wget HTTPie PostmanRuntime Insomnia Bruno python-requests Python Java Go node Node.js Deno Bun undici okhttp axios ruby PHP`
    .split(/\s+/)
    .filter(Boolean),
);

/** The beginning of a User-Agent, as far as it is made of programs with their versions and of known words. */
export function trimUserAgent(userAgent: string): string {
  return userAgent
    .slice(0, 2 * longestUserAgent)
    .split(/\s+/)
    .map((part) => (product.test(part) || number.test(part) || words.has(part.replaceAll(marks, "")) ? part : cut))
    .join(" ")
    .slice(0, longestUserAgent);
}

/** There are few different ones, and each is examined once. */
export function createUserAgentTrim(): (userAgent: string | undefined) => string | null {
  const known = new LRUCache<string, string>({ max: 1_000 });
  return (userAgent) => {
    if (userAgent === undefined) {
      return null;
    }
    const begin = userAgent.slice(0, 2 * longestUserAgent);
    let trimmed = known.get(begin);
    if (trimmed === undefined) {
      trimmed = trimUserAgent(begin);
      known.set(begin, trimmed);
    }
    return trimmed;
  };
}
