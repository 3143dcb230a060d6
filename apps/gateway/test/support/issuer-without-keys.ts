/**
 * An identity provider whose keys cannot be read, because no server listens there. People can be invited to it, and no
 * access token is believed.
 */
export const issuerWithoutKeys = {
  authProvider: {
    authUrl: "https://auth.example.com",
    apiUrl: "https://api.example.com",
    jwksUrl: "http://127.0.0.1:9/api/v1/jwks",
  },
};
