/**
 * Adds passkeys to forms that also work without this script. The element around a form has the WebAuthn options in
 * `data-options` and the purpose in `data-passkey`. The form sends the credential to the server in its field
 * `credential`.
 */
(() => {
  const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, startAuthentication, startRegistration } =
    globalThis.SimpleWebAuthnBrowser;

  const sentences = {
    NotAllowedError: "The passkey was not used: it was cancelled, or took too long. Try once more.",
    InvalidStateError: "This device has a passkey for you already.",
    SecurityError: "Passkeys cannot be used at this address.",
  };

  const say = (place, error) => {
    const text = sentences[error.name] ?? "The passkey did not work. Try once more.";
    const summary = place.querySelector("[role=alert][hidden], [role=alert][data-script]");
    if (summary) {
      summary.dataset.script = "";
      summary.textContent = text;
      summary.hidden = false;
      summary.tabIndex = -1;
      summary.focus();
    }
  };

  const send = (form, credential) => {
    form.elements.namedItem("credential").value = JSON.stringify(credential);
    form.submit();
  };

  /** Offers passkeys in the autofill of the e-mail field, when the browser supports it. */
  const offerInField = async (form, optionsJSON) => {
    if (await browserSupportsWebAuthnAutofill()) {
      send(form, await startAuthentication({ optionsJSON, useBrowserAutofill: true }));
    }
  };

  const set = (place) => {
    const form = place.querySelector("form");
    const optionsJSON = JSON.parse(place.dataset.options);
    const start = place.dataset.passkey === "add" ? startRegistration : startAuthentication;
    place.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      // A created passkey stays on the device, so the form reports a fault of its name first.
      if (!form.checkValidity()) {
        form.submit();
        return;
      }
      try {
        send(form, await start({ optionsJSON }));
      } catch (error) {
        say(place, error);
      }
    });
    if (place.dataset.passkey === "sign-in") {
      // Signing in another way aborts the offer, and the page shows no error.
      offerInField(form, optionsJSON).catch(() => {});
    }
  };

  if (browserSupportsWebAuthn()) {
    document.querySelectorAll("[data-passkey][data-options]").forEach(set);
  } else {
    document.querySelectorAll("[data-passkey=missing]").forEach((place) => (place.hidden = false));
  }
})();
