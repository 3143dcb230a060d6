import { signInUrl } from "../data/session.ts";
import { Icon } from "../parts/shown/icon.tsx";

export function SignedOut() {
  return (
    <main className="alone signed-out">
      <Icon name="key" size={28} />
      <h1>Sign in to the console</h1>
      <p>You come back to this address afterwards.</p>
      <a className="button primary" href={signInUrl()}>
        Sign in
      </a>
    </main>
  );
}
