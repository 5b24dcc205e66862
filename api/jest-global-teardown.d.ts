// Written by `npm run api`: what this entry exports, and all that can be reached from it.

export {  };
