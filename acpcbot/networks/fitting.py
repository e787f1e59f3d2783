"""Fitting of networks with JAX and optax, on a GPU where there is one.

The loss of a query is w_v times the Huber loss of its values plus w_p times the KL divergence of
its policies, summed over rows; a batch's is the mean over its queries. The divergence is the cross
entropy less the entropy of the target, so its gradients are those of cross entropy, and it is 0
where the policy is the target. Targets that are missing have weight 0, and illegal actions take no
part. The learning rate at step t is initial * decay_rate ** (t / decay_steps).

JAX is imported with the first ``Fitter``: that takes a second and 140 MB, and compiling the first
batches two seconds and 120 MB more. So several steps are taken in one call, over batches that lie
one behind another: a call has a fixed cost, which is most of a step of a small network. Calls with
as many batches, of as many queries, use the same compiled code.

Source: Schmid et al. (2023), Student of Games: a unified learning algorithm for both perfect and
imperfect information games, equations of its appendix "Network architecture and optimization".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from msgspec import Meta

from acpcbot.arrays import AnyArray, Flags, Floats32, Indices
from acpcbot.errors import UsageError
from acpcbot.networks.mlp import Network
from acpcbot.networks.shape import NetworkShape

ILLEGAL = -1e9
"""Logit in the place of an illegal action's."""

Positive = Annotated[float, Meta(gt=0)]
Weight = Annotated[float, Meta(ge=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FittingSettings:
    """Optimiser, learning rate with its decay, weights of the two losses, queries in a batch.

    The paper's poker settings are Adam, 0.0001, halved every two million steps, w_p = 0.01, w_v = 1
    and batches of 1,024. It has none for Leduc: the defaults are those of a network of 64 x 64.
    """

    optimizer: Literal["adam", "sgd"] = "adam"
    learning_rate: Positive = 1e-3
    decay_rate: Annotated[float, Meta(gt=0, le=1)] = 0.5
    decay_steps: Annotated[int, Meta(ge=1)] = 20_000
    value_weight: Weight = 1.0
    policy_weight: Weight = 0.1
    huber_delta: Positive = 1.0
    batch_size: Annotated[int, Meta(ge=1)] = 128


class Examples(NamedTuple):
    """Queries and their targets; a row for each query, or batches of such rows.

    ``inputs``          float32 [query, input]
    ``values``          float32 [query, value], of both seats as the network has them
    ``value_weights``   float32 [query, value]: 0 where there is no target
    ``policies``        float32 [query, row, action] of the seat to act, 0 for illegal actions
    ``policy_weights``  float32 [query, row]: 0 where there is no target
    ``legal``           bool [query, row, action]
    """

    inputs: Floats32
    values: Floats32
    value_weights: Floats32
    policies: Floats32
    policy_weights: Floats32
    legal: Flags

    def part(self, selected: slice | int | Indices) -> Examples:
        """Return the examples, or batches, that *selected* names along the first axis."""
        return Examples._make(array[selected] for array in self)


class Losses(NamedTuple):
    """Mean losses of batches, float32 [step], before their weights w_v and w_p."""

    values: Floats32
    policies: Floats32


def empty_examples(shape: NetworkShape, *counts: int) -> Examples:
    """Return room for *counts* of examples: a number of queries, or of steps and of queries."""
    rows, actions = shape.policy_rows, shape.num_actions
    return Examples(
        np.zeros((*counts, shape.num_inputs), np.float32),
        np.zeros((*counts, shape.num_values), np.float32),
        np.zeros((*counts, shape.num_values), np.float32),
        np.zeros((*counts, rows, actions), np.float32),
        np.zeros((*counts, rows), np.float32),
        np.zeros((*counts, rows, actions), np.bool_),
    )


def draw_batches(
    examples: Examples, num_steps: int, batch_size: int, generator: np.random.Generator
) -> Examples:
    """Return examples [step, query], drawn with replacement."""
    drawn = generator.integers(len(examples.inputs), size=(num_steps, batch_size))
    return examples.part(drawn)


class Fitter:
    """A network in training: its parameters and the optimiser's memory.

    Equal networks, settings and batches give equal results on one machine. Raises UsageError where
    JAX or optax is missing.
    """

    def __init__(self, network: Network, settings: FittingSettings) -> None:
        self.shape, self.settings = network.shape, settings
        jax, optax = _libraries()
        self._jax = jax
        rate = optax.exponential_decay(
            settings.learning_rate, settings.decay_steps, settings.decay_rate
        )
        optimizer = optax.adam(rate) if settings.optimizer == "adam" else optax.sgd(rate)
        # Copies, which JAX may take for its own: steps overwrite their arguments.
        layers = [tuple(jax.numpy.array(part) for part in layer) for layer in network.layers()]
        self._state = (layers, optimizer.init(layers))
        self._steps = _compiled_steps(jax, optax, optimizer, network.shape, settings)

    def fit(self, batches: Examples) -> Losses:
        """Take a step for each of *batches* [step, query], in order; return their losses.

        Raises ValueError for arrays of other shapes or numbers that are not finite, and UsageError
        if the parameters have ceased to be finite.
        """
        self._verify(batches)
        self._state, losses = self._steps(self._state, tuple(batches))
        found = Losses(*(np.asarray(part) for part in losses))
        if not all(np.isfinite(part).all() for part in found):
            raise UsageError(
                f"the losses of a network are no longer finite: {found.values[-1]} of values,"
                f" {found.policies[-1]} of policies",
                f"choose a learning rate below {self.settings.learning_rate}",
            )
        return found

    def network(self) -> Network:
        """Return the network as it is now."""
        parts = [np.asarray(part).ravel() for layer in self._state[0] for part in layer]
        return Network(self.shape, np.concatenate(parts))

    def arrays(self) -> dict[str, AnyArray]:
        """Return all that training goes on from, by name, to be saved."""
        leaves = self._jax.tree.leaves(self._state)
        return {f"fitting.{place}": np.asarray(leaf) for place, leaf in enumerate(leaves)}

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Go on from *arrays* of a fitter with the same sizes and optimiser; raises ValueError."""
        expected = {name: (array.dtype, array.shape) for name, array in self.arrays().items()}
        found = {name: (array.dtype, array.shape) for name, array in arrays.items()}
        if found != expected:
            raise ValueError(f"arrays of training: expected {expected}, found {found}")
        structure = self._jax.tree.structure(self._state)
        copies = [self._jax.numpy.array(arrays[name]) for name in expected]
        self._state = self._jax.tree.unflatten(structure, copies)

    def _verify(self, batches: Examples) -> None:
        steps_and_queries = batches.inputs.shape[:2]
        for name, array, wanted in zip(
            Examples._fields, batches, empty_examples(self.shape, 0, 0), strict=True
        ):
            shape = (*steps_and_queries, *wanted.shape[2:])
            if array.shape != shape or array.dtype != wanted.dtype:
                raise ValueError(
                    f"{name}: expected {wanted.dtype} {list(shape)},"
                    f" found {array.dtype} {list(array.shape)}"
                )
            if not np.isfinite(array).all():
                raise ValueError(f"{name}: expected finite numbers, found nan or inf")


def loss_function(jax: Any, optax: Any, shape: NetworkShape, settings: FittingSettings) -> Any:
    """Return the loss of a batch as a function of layers and examples, with its two parts."""
    numpy = jax.numpy

    def loss(layers: Any, batch: Any) -> Any:
        inputs, values, value_weights, policies, policy_weights, legal = batch
        outputs = _forward(jax, layers, inputs)
        errors = optax.losses.huber_loss(
            outputs[:, : shape.num_values], values, delta=settings.huber_delta
        )
        value_loss = (value_weights * errors).sum(axis=1).mean()
        if not shape.num_actions:
            return settings.value_weight * value_loss, (value_loss, numpy.zeros(()))
        logits = outputs[:, shape.num_values :].reshape(policies.shape)
        logs = jax.nn.log_softmax(numpy.where(legal, logits, ILLEGAL), axis=2)
        entropies = jax.scipy.special.xlogy(policies, policies).sum(axis=2)
        divergences = entropies - (policies * logs).sum(axis=2)
        policy_loss = (policy_weights * divergences).sum(axis=1).mean()
        total = settings.value_weight * value_loss + settings.policy_weight * policy_loss
        return total, (value_loss, policy_loss)

    return loss


def _forward(jax: Any, layers: Any, inputs: Any) -> Any:
    """Return the outputs of *layers*, in full single precision on every device."""
    *hidden, (last_weights, last_biases) = layers
    activations = inputs
    for weights, biases in hidden:
        activations = jax.nn.relu(_product(jax, activations, weights) + biases)
    return _product(jax, activations, last_weights) + last_biases


def _product(jax: Any, activations: Any, weights: Any) -> Any:
    # A GPU's default rounds the factors to ten bits, and play would see other outputs than these.
    return jax.numpy.matmul(activations, weights, precision="highest")


def _compiled_steps(
    jax: Any, optax: Any, optimizer: Any, shape: NetworkShape, settings: FittingSettings
) -> Any:
    """Return a function of state and batches that takes all steps in one call."""
    gradients = jax.value_and_grad(loss_function(jax, optax, shape, settings), has_aux=True)

    def step(state: Any, batch: Any) -> Any:
        layers, memory = state
        (_, losses), slopes = gradients(layers, batch)
        updates, memory = optimizer.update(slopes, memory, layers)
        return (optax.apply_updates(layers, updates), memory), losses

    def steps(state: Any, batches: Any) -> Any:
        return jax.lax.scan(step, state, batches)

    return jax.jit(steps, donate_argnums=0)


def _libraries() -> tuple[Any, Any]:
    """Return JAX and optax; raises UsageError without them."""
    try:
        import jax
        import optax
    except ImportError as error:
        raise UsageError(
            f"fitting a network needs JAX and optax, and {error.name} is not installed",
            "install the extra: pip install 'acpcbot[networks]'",
        ) from None
    return jax, optax
