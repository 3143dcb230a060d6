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
      // The client repeats what passes by itself; what is refused stays refused.
      retry: false,
    },
    // Offline a press fails at once. Kept for later it would be done when somebody thought better of it, and their
    // dialog is gone.
    mutations: { networkMode: "always" },
  },
});

/** Asks anew who is signed in, when the session ended elsewhere or the role was changed. */
function onFault(error: unknown): void {
  if (["UNAUTHENTICATED", "FORBIDDEN"].includes(faultOf(error).code)) {
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }
}
queries.getQueryCache().config.onError = onFault;
queries.getMutationCache().config.onError = onFault;
followSignOut(queries);

// A page that the browser kept whole is one of another time, perhaps of another account: it begins anew.
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
