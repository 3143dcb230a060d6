import { createSearch } from "./create-search.ts";

declare global {
  interface Window {
    /** The index as text, set by the script that holds it. */
    gatewaySearchIndex?: string;
  }
}

window.gatewaySearch = createSearch(window.gatewaySearchIndex ?? "");
