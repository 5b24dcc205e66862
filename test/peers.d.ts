// Peers are installed under an alias for each tested version; sources import them by their real name.
declare module "msw" {
  export * from "msw-3";
}
declare module "nock" {
  import nock from "nock-15";
  export default nock;
}
