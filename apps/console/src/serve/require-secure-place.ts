import { asText, plainPage } from "@gateway/process";
import type { RequestHandler } from "express";
import { createNonce, pageHeaders, sendDocument } from "./page-headers.ts";

type Addresses = { origin: string; authOrigin: string };

/**
 * Refuses the page over http, except under the machine's own name. Elsewhere browsers give it neither locks nor a
 * clipboard (Secure Contexts, 3.1).
 */
export function requireSecurePlace({ origin, authOrigin }: Addresses): RequestHandler {
  const isHttps = new URL(origin).protocol === "https:";
  return (req, res, next) => {
    const hostname = hostnameOf(req.headers.host);
    if (isHttps || hostname === null || isLoopback(hostname)) {
      next();
      return;
    }
    res.set(pageHeaders(createNonce()));
    const title = "The console needs https here";
    sendDocument(res, 403, plainPage({ title, body: bodyOf(hostname, { origin, authOrigin }), refresh: null }));
  };
}

/** The name of the host. Null when the header is missing or invalid; a browser always sends one. */
function hostnameOf(host = ""): string | null {
  return host !== "" && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : null;
}

function isLoopback(hostname: string): boolean {
  return /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function bodyOf(hostname: string, { origin, authOrigin }: Addresses): string {
  const ports = [origin, authOrigin].map((one) => new URL(one).port || "80");
  const tunnel = `ssh ${ports.map((port) => `-L ${port}:127.0.0.1:${port}`).join(" ")} ${hostname}`;
  return `<h1>The console needs https here</h1>
<p>Over http, browsers allow what the console does only at an address of this machine. <code>${asText(hostname)}</code> is not such an address. There are two ways:</p>
<ul>
<li>Put a proxy that speaks https in front, and set <code>CONSOLE_URL</code> and <code>AUTH_URL</code> to its addresses.</li>
<li>Leave <code>CONSOLE_URL</code> and <code>AUTH_URL</code> unset, lead their ports to your own machine, and open <code>http://127.0.0.1:${ports[0]}</code> there:<pre>${asText(tunnel)}</pre></li>
</ul>`;
}
