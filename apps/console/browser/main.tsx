import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { faultOf } from "./data/calls.ts";
import { followSignOut, sessionQuery } from "./data/session.ts";
import { createConsoleRouter } from "./router.tsx";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // The client retries temporary failures itself, and a refused request stays refused.
      retry: false,
    },
    // Offline, an action fails at once. A stored action would run later, when its user may have changed their mind and
    // the dialog is gone.
    mutations: { networkMode: "always" },
  },
});

/** Requests the session again when it ended elsewhere or the role was changed. */
function onFault(error: unknown): void {
  if (["UNAUTHENTICATED", "FORBIDDEN"].includes(faultOf(error).code)) {
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }
}
queries.getQueryCache().config.onError = onFault;
queries.getMutationCache().config.onError = onFault;
followSignOut(queries);

// A page that the browser restores as a whole is outdated, and perhaps belongs to another account, so it reloads.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) {
    location.reload();
  }
});

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={createConsoleRouter()} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
