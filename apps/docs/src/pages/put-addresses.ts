import type { Page } from "./page.ts";

/** The addresses of the installation that this site belongs to; null for a published site. */
export type Addresses = {
  gatewayUrl: string;
  authUrl: string;
  /** The direct addresses that are known, by service. */
  serviceUrls?: Readonly<Record<string, string>>;
  /** The console's address, without a slash at the end: its screens try operations out. Null without a console. */
  consoleUrl?: string | null;
};

/** Makes every sample work as it is copied, except for the reader's own key and ids. */
export function putAddresses(page: Page, addresses: Addresses): Page {
  const put = (text: string): string => putInto(text, addresses);
  return {
    ...page,
    markdown: put(page.markdown),
    ...(page.parts && {
      parts: page.parts.map((part) => ({ ...part, markdown: put(part.markdown), samples: put(part.samples) })),
    }),
  };
}

function putInto(text: string, { gatewayUrl, authUrl, serviceUrls = {} }: Addresses): string {
  const ofServices = Object.entries(serviceUrls).map(([service, url]) => [environmentName(service), url] as const);
  const addresses: Readonly<Record<string, string>> = {
    GATEWAY_URL: gatewayUrl,
    GATEWAY_AUTH_URL: authUrl,
    ...Object.fromEntries(ofServices),
  };
  const named = Object.entries(addresses).reduce(
    (known, [name, url]) =>
      known
        .replaceAll(`${["process", "env", name].join(".")} ?? ""`, JSON.stringify(url))
        .replaceAll(new RegExp(`\\$${name}(?=/)`, "g"), url),
    text,
  );
  // Replaces the addresses of the described sandbox, and the default ports of a local one.
  return named
    .replaceAll(/https:\/\/sandbox\.api\.gateway\.example|http:\/\/127\.0\.0\.1:8080(?!\d)/g, gatewayUrl)
    .replaceAll(/https:\/\/sandbox\.auth\.gateway\.example|http:\/\/localhost:8081(?!\d)/g, authUrl)
    .replaceAll(
      /https:\/\/sandbox\.([a-z-]+)\.gateway\.example/g,
      (url, service: string) => serviceUrls[service] ?? url,
    );
}

/** `market-data` is at `GATEWAY_MARKET_DATA_URL`. */
function environmentName(service: string): string {
  return `GATEWAY_${service.replaceAll("-", "_").toUpperCase()}_URL`;
}
