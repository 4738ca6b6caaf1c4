//! Collectives that are parts of others.

use std::future::Future;
use std::pin::Pin;

use crate::error::Result;

/// An operation within another. Boxed, for algorithms may call each other in a circle.
pub(crate) type Nested<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + 'a>>;
