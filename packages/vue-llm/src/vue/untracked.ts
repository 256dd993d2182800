import { ReactiveEffect } from 'vue'

/**
 * The function, without what it reads becoming a dependency of the effect it is called in: a `watchEffect` that sends
 * a message must not run, and send, again because the transcript has changed.
 *
 * @internal
 */
export function untracked<A extends unknown[], R>(action: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    const effect = new ReactiveEffect(() => action(...args))
    try {
      return effect.run()
    } finally {
      effect.stop()
    }
  }
}
