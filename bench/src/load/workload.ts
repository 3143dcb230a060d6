/** The requests that a load generator sends. Plain data, because it travels to another process. */
export type Workload =
  /** The same GET repeatedly. */
  | { kind: "get"; target: string; key: string }
  /** A POST of each of these bodies in turn, starting over after the last. */
  | { kind: "post"; target: string; key: string; bodies: readonly string[] }
  /** Row (d): always new content types and paths among ordinary calls, over `total` requests. */
  | { kind: "mixed"; key: string; total: number; contentTypes: number; paths: number };

/** The text of the request number `index` (from 0). */
export function requestText(workload: Workload): (index: number) => string {
  if (workload.kind === "get") {
    const text = request("GET", workload.target, withKey(workload.key));
    return () => text;
  }
  if (workload.kind === "post") {
    const { target, key, bodies } = workload;
    const texts = bodies.map((body) => request("POST", target, withKey(key), "application/json", body));
    return (index) => texts[index % texts.length] ?? "";
  }
  return mixedRequest(workload);
}

/**
 * Mixes requests with new paths, refused POSTs and lists of wallets. Every `requestsPerPath`th request has a new path,
 * alternately that of a missing wallet and of no operation. One request in five is a POST whose content type is
 * refused. The others list wallets. Content types change slowly, so that new ones come until the end. A cache that kept
 * them would grow until the end too.
 */
function mixedRequest({ key, total, contentTypes, paths }: Workload & { kind: "mixed" }): (index: number) => string {
  const requestsPerPath = Math.max(1, Math.floor(total / paths));
  const requestsPerType = Math.max(1, Math.floor(total / contentTypes));
  return (index) => {
    const type = `application/x-type-${Math.floor(index / requestsPerType)}`;
    if (index % requestsPerPath === 0) {
      return request("GET", newPath(Math.floor(index / requestsPerPath)), withKey(key), type);
    }
    return index % 5 === 1
      ? request("POST", "/api/v1/wallets", withKey(key), type, "{}")
      : request("GET", "/api/v1/wallets?limit=1", withKey(key), type);
  };
}

function newPath(number: number): string {
  const digits = String(number).padStart(25, "0");
  return number % 2 === 0 ? `/api/v1/wallets/wal_7${digits}` : `/nothing/${digits}`;
}

function withKey(key: string): string {
  return `X-API-Key: ${key}`;
}

function request(method: string, target: string, credential: string, contentType?: string, body = ""): string {
  const headers = [
    "Host: 127.0.0.1",
    credential,
    ...(contentType ? [`Content-Type: ${contentType}`] : []),
    ...(body ? [`Content-Length: ${body.length}`] : []),
  ];
  return `${method} ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`;
}
